import { INVALID_KEY, NOT_REFERRED } from '#contract/bots/bot.ts';
import { PRODUCT } from '#domain/product.ts';
import { badRequest, Problem } from '#server/http/errors.ts';
import { ExchangeError, type KeyFacts } from '#server/ports/exchange/exchange.ts';

const NOT_REFERRED_TEXT = `This account was not registered using ${PRODUCT}'s referral code. Please register with a valid referral code.`;
const INVALID_KEY_TEXT = 'Invalid API key or secret. Please check your credentials.';

/** A bot's sealed API key cannot be opened. Its user reads the message. */
export class UnreadableKey extends Error {
  constructor() {
    super("This bot's stored API key can no longer be read. Replace it in the bot's settings.");
  }
}

/** Returns why a bot must not trade with a key; undefined for a suitable key. */
export function keyRefusal(facts: KeyFacts): Problem | undefined {
  if (!facts.referred) return badRequest('not_referred', NOT_REFERRED_TEXT, { code: NOT_REFERRED });
  if (facts.mayWithdraw)
    return badRequest('key_may_withdraw', 'This API key can withdraw money. Create a key that can only trade.', { code: 'withdraw' });
  if (!facts.mayTrade)
    return badRequest('key_may_not_trade', 'This API key cannot trade. Allow it to place orders and to hold positions.', {
      code: 'permission',
    });
  if (facts.restricted) return badRequest('restricted', 'Automated trading is not available in your country.', { code: 'restricted' });
  return undefined;
}

/**
 * Turns an exchange's error into the problem that the user can fix.
 * @param failure the call's default text, for errors that the user cannot fix.
 * @returns `error` itself if it is not the exchange's.
 */
export function exchangeProblem(error: unknown, failure: string): unknown {
  if (!(error instanceof ExchangeError)) return error;
  if (error.trouble === 'invalid-key') return badRequest('invalid_key', INVALID_KEY_TEXT, { code: INVALID_KEY });
  if (error.trouble === 'permission')
    return badRequest('key_may_not_trade', 'This API key is not allowed to do that. Check its permissions.', { code: 'permission' });
  if (error.trouble === 'address')
    return badRequest('address', "This API key is limited to other network addresses. Add this server's addresses, or remove the limit.", {
      code: 'address',
    });
  return new Problem(502, 'exchange', failure);
}

/** Returns why a bot cannot continue until its user acts; null for an error that a retry may fix. */
export function fatalReason(error: unknown): string | null {
  if (error instanceof UnreadableKey) return error.message;
  if (!(error instanceof ExchangeError)) return null;
  switch (error.trouble) {
    case 'invalid-key':
      return 'The exchange no longer accepts this API key.';
    case 'permission':
      return 'The API key is not allowed to trade.';
    case 'address':
      return 'The API key is limited to other network addresses.';
    default:
      return null;
  }
}
