import { MINUTE } from '#domain/clock.ts';
import { notClosedText } from '#server/bots/messages/journal.ts';
import type { Observation } from '#server/bots/positions/reconcile.ts';
import { type BotRow, closedCandles } from '#server/bots/store/bots.ts';
import { type Cycle, observeBot } from './cycle.ts';
import { closePosition } from './exit.ts';

/** How long the bot tries to close a position for its user, ms. After that, the price is no longer the one they saw. */
const TRY_FOR = 10 * MINUTE;

/** Closes the position that the user wants closed. The bot goes on, and enters again once the next candle has closed. */
export async function closeNow(cycle: Cycle, view: Observation, { entryId }: NonNullable<BotRow['closing']>): Promise<Observation> {
  const { parts, changes } = cycle;
  const isHeld = view.position?.entryId === entryId;
  if ((isHeld && giveUpClosing(cycle)) || view.isUnsettled) return view;
  let after = view;
  if (isHeld && view.position) {
    await closePosition(cycle, view.position, { reason: 'on request', candle: null });
    after = await observeBot(cycle);
  }
  if (!after.isUnsettled && after.position?.entryId !== entryId) changes.closing = null;
  changes.handledCandle = closedCandles(parts.exchange.feed);
  return after;
}

/** Ends a request to close that the exchange has not confirmed in time, and tells the user. Returns whether it did. */
export function giveUpClosing({ parts, bot, changes, events }: Pick<Cycle, 'parts' | 'bot' | 'changes' | 'events'>): boolean {
  if (bot.closing === null || Math.abs(parts.clock() - bot.closing.at) < TRY_FOR) return false;
  changes.closing = null;
  const text = notClosedText(TRY_FOR / MINUTE);
  events.push({ actor: 'engine', kind: 'not-closed', text, key: `not-closed:${bot.closing.at}`, notify: true });
  return true;
}
