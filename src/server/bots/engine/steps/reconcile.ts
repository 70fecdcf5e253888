import { giveUpUnsent } from '#server/bots/orders/cancel.ts';
import { lookUpOrders } from '#server/bots/orders/look-up.ts';
import type { Observation } from '#server/bots/positions/reconcile.ts';
import type { OrderRow } from '#server/bots/store/orders.ts';
import type { Cycle } from './cycle.ts';

/** Looks up the orders that an earlier cycle left pending. Returns those that never reached the exchange. */
export async function lookUpPending({ parts, bot, orderContext }: Cycle): Promise<OrderRow[]> {
  const current = await lookUpOrders(orderContext, await parts.store.pendingOrders(bot.id));
  return current.filter(({ state }) => state === 'intended');
}

/** Gives up unsent orders that the bot must not send: entries of an earlier candle, and closes without a position. */
export async function giveUpStale(
  { parts: { exchange }, bot, orderContext }: Cycle,
  { unsent, view, candle }: { unsent: readonly OrderRow[]; view: Observation; candle: number | undefined },
): Promise<void> {
  const { interval, now } = exchange.feed;
  // A sweep's candle may be older than the order's.
  const isPast = (entered: number): boolean => entered < (candle ?? 0) || now() >= entered + 2 * interval;
  for (const row of unsent) {
    const isWanted = row.purpose === 'entry' ? bot.status === 'RUNNING' && !isPast(row.candle ?? 0) : view.position !== null;
    if (!isWanted) await giveUpUnsent(orderContext, row);
  }
}
