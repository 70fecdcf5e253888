import { hasElapsed, MINUTE } from '#domain/clock.ts';
import { forgottenText } from '#server/bots/messages/journal.ts';
import { giveUpUnsent } from '#server/bots/orders/cancel.ts';
import { lookUpOrders, recordForgotten } from '#server/bots/orders/look-up.ts';
import type { Observation } from '#server/bots/positions/reconcile.ts';
import type { OrderRow } from '#server/bots/store/orders.ts';
import { type Cycle, reportRefusal } from './cycle.ts';

/** How long the exchange must not know an order that it had accepted before the bot settles it, ms. */
const FORGOTTEN_AFTER = 10 * MINUTE;

/** Looks up the orders that an earlier cycle left pending. Returns those that never reached the exchange. */
export async function lookUpPending(cycle: Cycle): Promise<OrderRow[]> {
  const { parts, bot, orderContext } = cycle;
  const current = await lookUpOrders(orderContext, await parts.store.pendingOrders(bot.id));
  for (const row of current) reportRefusal(cycle, row);
  await settleForgotten(cycle, current);
  return current.filter(({ state }) => state === 'intended');
}

/** Settles accepted orders that the exchange has lost by their fills: it forgets cancellations after a day. */
async function settleForgotten({ parts: { clock }, bot, account, orderContext, events }: Cycle, rows: readonly OrderRow[]): Promise<void> {
  // A look-up that finds an order renews its date.
  const isLost = ({ state, updatedAt }: OrderRow) => state === 'accepted' && hasElapsed(clock(), updatedAt.getTime(), FORGOTTEN_AFTER);
  const lost = rows.filter(isLost);
  if (lost.length === 0) return;
  const since = Math.min(bot.fillsSeenTo, ...lost.map(({ createdAt }) => createdAt.getTime() - MINUTE));
  const fills = await account.fills(since);
  for (const row of lost) {
    const { state, clientId } = await recordForgotten(orderContext, row, fills);
    const text = forgottenText(state === 'filled');
    events.push({ actor: 'exchange', kind: 'forgotten', text, key: `forgotten:${clientId}` });
  }
}

/** Gives up unsent orders that the bot must not send: entries of an earlier candle or a paused bot, and closes without a position or a request. */
export async function giveUpStale(
  { parts: { exchange }, bot, orderContext }: Cycle,
  { unsent, view, candle }: { unsent: readonly OrderRow[]; view: Observation; candle: number | undefined },
): Promise<void> {
  const { interval, now } = exchange.feed;
  // A sweep's candle may be older than the order's.
  const isPast = (entered: number): boolean => entered < (candle ?? 0) || now() >= entered + 2 * interval;
  for (const row of unsent) {
    const isEntryWanted = bot.status === 'RUNNING' && bot.pausedBy !== 'user' && !isPast(row.candle ?? 0);
    const isCloseWanted = view.position !== null && (row.reason !== 'on request' || bot.closing !== null);
    if (!(row.purpose === 'entry' ? isEntryWanted : isCloseWanted)) await giveUpUnsent(orderContext, row);
  }
}
