import type { OrderRow } from '../store/orders.ts';
import { type OrderContext, recordState } from './look-up.ts';

/** Cancels the orders that rest at the exchange. `lookUpOrders` records how they ended. */
export async function cancelResting({ account }: Pick<OrderContext, 'account'>, rows: readonly OrderRow[]): Promise<void> {
  for (const row of rows) if (row.state === 'accepted') await account.cancel(row.clientId);
}

/** Gives up an order that never reached the exchange. */
export const giveUpUnsent = (orders: OrderContext, row: OrderRow): Promise<OrderRow> => recordState(orders, row, 'cancelled', 'never sent');
