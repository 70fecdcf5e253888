import { setTimeout as delay } from 'node:timers/promises';
import { spellAmount } from '#domain/bots/bot-amounts.ts';
import { SECOND } from '#domain/clock.ts';
import { BARE_TEXT, unsafeText } from '#server/bots/messages/journal.ts';
import { fatalReason } from '#server/bots/messages/refusals.ts';
import type { Observation } from '#server/bots/positions/reconcile.ts';
import { ExchangeError } from '#server/ports/exchange/exchange.ts';
import { stopIsSafe } from '#server/strategy/sizing.ts';
import { type Cycle, observeBot } from './cycle.ts';
import { closePosition } from './exit.ts';

/** Waits between attempts to set a stop, ms: 2 s in all. */
const RETRY_WAITS = [100, 200, 400, 600, 700];
/** The same where answers are slow, ms. */
const RETRY_FOR = 2 * SECOND;

/** Makes sure that the open position has a stop that triggers before liquidation, or closes it. */
export const protectOrClose = async (cycle: Cycle, view: Observation): Promise<Observation> =>
  closeUnsafe(cycle, await restoreStop(cycle, view));

/** Closes a position that the exchange would liquidate before its stop. Its owner may have changed leverage or margin mode. */
async function closeUnsafe(cycle: Cycle, view: Observation): Promise<Observation> {
  const { bot, events } = cycle;
  const { position } = view;
  // After a stop that keeps the position, its leverage is its owner's choice.
  if (!position || position.stop === null || bot.status === 'STOPPED' || view.isUnsettled) return view;
  const { entryId, stop, liquidationPrice } = position;
  if (stopIsSafe({ ...position, stop })) return view;
  await closePosition(cycle, position, { reason: 'unsafe', candle: null });
  events.push({ actor: 'engine', kind: 'unsafe', text: unsafeText(liquidationPrice, stop), key: `unsafe:${entryId}`, notify: 'urgent' });
  return observeBot(cycle);
}

/** Sets the missing stop of the open position again, or closes the position. A stopped bot only tells its user. */
async function restoreStop(cycle: Cycle, view: Observation): Promise<Observation> {
  const { parts, bot, events } = cycle;
  const { position, held } = view;
  if (!position || position.stop !== null || held?.side !== position.side) return view;
  if (bot.status === 'STOPPED') {
    events.push({ actor: 'exchange', kind: 'bare', text: BARE_TEXT, key: `bare:${position.entryId}`, notify: 'urgent' });
    return view;
  }
  const [entry] = await parts.store.orders({ botId: bot.id, clientIds: [position.entryId] });
  const stop = entry?.stop ?? null;
  // Without a mark price, only the exchange knows.
  const hasPassed = stop !== null && held.markPrice > 0 && (held.side === 'long' ? held.markPrice <= stop : held.markPrice >= stop);
  const resting = stop === null || hasPassed ? null : await setStop(cycle, stop, entry?.target ?? null);
  if (resting) {
    const text = `The position had no stop. The bot set it again at ${spellAmount(resting)}.`;
    events.push({ actor: 'engine', kind: 'protected', text, notify: true });
  } else if (resting === null) {
    await closePosition(cycle, position, { reason: 'unprotected', candle: null });
    const text = 'The exchange accepted no stop for the position, so the bot closes it at market price.';
    events.push({ actor: 'engine', kind: 'unprotected', text, notify: 'urgent' });
  }
  return observeBot(cycle);
}

/**
 * Sets stop and target of the open position, and retries for 2 s: a busy exchange is no reason to close. After that it looks at the
 * position, because an answer may be lost of a stop that is set. Returns the position's stop; null without one, undefined if it is gone.
 */
async function setStop(
  { parts: { clock, sleep = delay }, account }: Cycle,
  stop: number,
  target: number | null,
): Promise<number | null | undefined> {
  const start = clock();
  for (const wait of [...RETRY_WAITS, null]) {
    try {
      await account.protect(stop, target);
      return stop;
    } catch (error) {
      if (!(error instanceof ExchangeError)) throw error;
      if (wait === null || fatalReason(error) !== null || clock() - start >= RETRY_FOR) break;
      await sleep(wait);
    }
  }
  return (await account.position())?.stop;
}
