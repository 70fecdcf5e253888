import { ExchangeError } from '#server/ports/exchange/exchange.ts';
import { fatalReason } from '../messages/refusals.ts';
import type { Intent, OrderRow } from '../store/orders.ts';
import { type OrderContext, recordExchangeState, recordState } from './look-up.ts';

/** Attempts to look up an order right after the exchange's answer was lost. */
const LOOKUP_ATTEMPTS = 3;

/**
 * Records an intent, commits it, and then sends it; a repeated intent is sent under the same client id.
 * @returns the order's row, whatever its state is.
 * @throws ExchangeError if the outcome is unknown. The row stays `intended`, and the next cycle looks it up before it sends anything.
 */
export async function placeOrder(orders: OrderContext, intent: Intent): Promise<OrderRow> {
  const row = await orders.store.recordIntent({ bot: orders.bot, intent });
  return row.state === 'intended' ? submit(orders, row) : row;
}

async function submit(orders: OrderContext, row: OrderRow): Promise<OrderRow> {
  try {
    const { clientId, direction, quantity, stop, target, purpose } = row;
    const order = await orders.account.submit({
      clientId,
      direction,
      type: 'market',
      quantity,
      ...(purpose === 'close' && { reduceOnly: true }),
      ...(stop !== null && { stop }),
      ...(target !== null && { target }),
    });
    const placed = await recordExchangeState(orders, row, order);
    if (placed.state === 'accepted') orders.open.push(placed);
    return placed;
  } catch (error) {
    if (!(error instanceof ExchangeError)) throw error;
    if (error.trouble === 'rejected' || error.trouble === 'funds') return recordState(orders, row, 'rejected', error.message);
    if (fatalReason(error) !== null) await recordState(orders, row, 'rejected', error.message);
    if (error.trouble !== 'unclear' && error.trouble !== 'duplicate') throw error;
    for (let attempt = 0; attempt < LOOKUP_ATTEMPTS; attempt++) {
      const found = await orders.account.find(row.clientId).catch(() => undefined);
      if (found) return recordExchangeState(orders, row, found);
    }
    throw error;
  }
}
