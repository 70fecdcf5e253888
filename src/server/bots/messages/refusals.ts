import { INVALID_KEY, NOT_REFERRED } from '#contract/bots/bot.ts';
import { PRODUCT } from '#domain/product.ts';
import { badRequest, Problem } from '#server/http/errors.ts';
import { ExchangeError, type KeyFacts } from '#server/ports/exchange/exchange.ts';
import { UnreadableKey } from '../keys/key-safe.ts';

const NOT_REFERRED_TEXT = `This account was not registered using ${PRODUCT}'s referral code. Please register with a valid referral code.`;
const INVALID_KEY_TEXT = 'Invalid API key or secret. Please check your credentials.';

/** What is wrong with a key that a bot shall trade with; undefined where nothing is. */
export function keyRefusal(facts: KeyFacts): Problem | undefined {
  if (!facts.referred) return badRequest('not_referred', NOT_REFERRED_TEXT, { code: NOT_REFERRED });
  if (facts.mayWithdraw)
    return badRequest('key_may_withdraw', 'This API key may withdraw money. Please make one that may only trade.', { code: 'withdraw' });
  if (!facts.mayTrade)
    return badRequest('key_may_not_trade', 'This API key may not place orders and hold positions. Please allow both for it.', {
      code: 'permission',
    });
  if (facts.restricted) return badRequest('restricted', 'Automated trading is not offered in your country.', { code: 'restricted' });
  return undefined;
}

/** What a person is told when the exchange says no, or nothing. `failure` is the call's own default (spec §8). */
export function exchangeProblem(error: unknown, failure: string): unknown {
  if (!(error instanceof ExchangeError)) return error;
  if (error.trouble === 'invalid-key') return badRequest('invalid_key', INVALID_KEY_TEXT, { code: INVALID_KEY });
  if (error.trouble === 'permission')
    return badRequest('key_may_not_trade', 'This API key is not allowed to do that. Please check its permissions.', { code: 'permission' });
  if (error.trouble === 'address')
    return badRequest('address', 'This API key is bound to other network addresses than ours. Please free it or add ours.', {
      code: 'address',
    });
  return new Problem(502, 'exchange', failure);
}

/** Why a bot cannot go on by itself; null for what may pass. In words for its user. */
export function fatalReason(error: unknown): string | null {
  if (error instanceof UnreadableKey) return error.message;
  if (!(error instanceof ExchangeError)) return null;
  switch (error.trouble) {
    case 'invalid-key':
      return 'The exchange no longer accepts this API key.';
    case 'permission':
      return 'The API key is not allowed to trade.';
    case 'address':
      return 'The API key is bound to other network addresses than ours.';
    default:
      return null;
  }
}
