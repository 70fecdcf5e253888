import { KEY_WARN_DAYS, SILENCE } from '#domain/bots/bot-alarms.ts';
import { TAKER_FEE } from '#domain/bots/position-rules.ts';
import { DAY, hasElapsed } from '#domain/clock.ts';
import { UnknownKeyVersion } from '#server/bots/keys/key-safe.ts';
import { feeText, feeUnknownText, keyExpiryText } from '#server/bots/messages/journal.ts';
import { keyRefusal, UnreadableKey } from '#server/bots/messages/refusals.ts';
import type { BotRow } from '#server/bots/store/bots.ts';
import type { Keys } from '#server/ports/exchange/exchange.ts';
import { type Cycle, type CycleParts, NeedsUser } from './cycle.ts';

/** How often a bot checks its API key, ms. */
const CHECK_INTERVAL = DAY;

/**
 * Opens a bot's API key. During a rotation of SECRETS_KEY another process may hold the key that this one lacks: the bot waits for it,
 * and stops with an error only if no process could open its key for `SILENCE`.
 */
export function openKeys({ safe, clock }: CycleParts, { id, sealedKeys, lastExchangeAt }: BotRow): Keys {
  try {
    return safe.open(id, sealedKeys);
  } catch (error) {
    const isWaiting = clock() - (lastExchangeAt?.getTime() ?? 0) < SILENCE;
    throw error instanceof UnknownKeyVersion && !isWaiting ? new UnreadableKey() : error;
  }
}

/** Checks the bot's API key at the exchange once a day, and before the bot runs. Warns its user before the key expires. */
export async function checkKey({ parts: { clock }, bot, account, changes, events }: Cycle): Promise<void> {
  const now = clock();
  const isDue = bot.status === 'PROVISIONING' || hasElapsed(now, bot.keyCheckedAt?.getTime() ?? 0, CHECK_INTERVAL);
  if (!isDue || bot.status === 'STOPPED' || bot.status === 'ERROR') return;
  const facts = await account.check();
  changes.keyCheckedAt = new Date(now);
  changes.keyExpiresAt = facts.expiresAt === null ? null : new Date(facts.expiresAt);
  const daysLeft = facts.expiresAt === null ? Number.POSITIVE_INFINITY : (facts.expiresAt - now) / DAY;
  const warning = KEY_WARN_DAYS.find((days) => daysLeft <= days);
  if (warning !== undefined && warning !== bot.keyWarnedDays) {
    changes.keyWarnedDays = warning;
    const key = `key-ends:${facts.expiresAt}:${warning}`;
    events.push({ actor: 'engine', kind: 'key-ends', text: keyExpiryText(warning), key, notify: true });
  }
  noteFee({ bot, changes, events }, facts.takerFee);
  const refusal = keyRefusal(facts);
  // A stopping bot may still close its position with this key.
  if (refusal && bot.status !== 'STOPPING') throw new NeedsUser(refusal.message);
}

/** Stores the account's fee, with which the bot sizes its entries. Without a plausible one, the last one stays. */
function noteFee({ bot, changes, events }: Pick<Cycle, 'bot' | 'changes' | 'events'>, told: number | null): void {
  const known = bot.takerFee ?? TAKER_FEE;
  if (told === null) {
    events.push({ actor: 'exchange', kind: 'fee', text: feeUnknownText(known), key: `fee-unknown:${known}` });
    return;
  }
  changes.takerFee = told;
  if (told !== known) events.push({ actor: 'exchange', kind: 'fee', text: feeText(told) });
}
