import { type ExchangeAccount, ExchangeError, type ExchangeFill, type ExchangeOrder } from '#server/ports/exchange/exchange.ts';
import type { LeasedBot } from '../store/bot-lease.ts';
import type { NewIntent, OrderRow, Outcome } from '../store/orders.ts';

/** What a bot needs to place its orders. */
export interface OrderContext {
  bot: LeasedBot;
  account: ExchangeAccount;
  /** Orders that this cycle placed and has recorded no outcome for. */
  open: OrderRow[];
  /** Both calls commit before they resolve, and reject with `LostLease` if another worker has taken the bot. */
  store: { recordIntent: (intent: NewIntent) => Promise<OrderRow>; recordOutcome: (outcome: Outcome) => Promise<OrderRow> };
}

const STATES = {
  open: 'accepted',
  filled: 'filled',
  'partly-filled-cancelled': 'filled',
  cancelled: 'cancelled',
  rejected: 'rejected',
} as const satisfies Record<ExchangeOrder['state'], OrderRow['state']>;

/** Records an order as the exchange has it. */
export function recordExchangeState({ store, bot }: OrderContext, row: OrderRow, order: ExchangeOrder): Promise<OrderRow> {
  const { exchangeId, price, filled, reject } = order;
  const reason = reject === undefined ? {} : { reason: `code ${reject}` };
  return store.recordOutcome({ bot, row, set: { state: STATES[order.state], exchangeId, price, filled, ...reason } });
}

/** Records a state that the exchange did not report. */
export const recordState = ({ store, bot }: OrderContext, row: OrderRow, state: OrderRow['state'], reason: string): Promise<OrderRow> =>
  store.recordOutcome({ bot, row, set: { state, reason } });

/** Returns what fills say about an order. */
function filledOf({ clientId, price: known }: OrderRow, fills: readonly ExchangeFill[]): Pick<OrderRow, 'price'> & { filled: number } {
  const own = fills.filter((fill) => fill.clientId === clientId);
  const filled = Number(own.reduce((sum, { quantity }) => sum + quantity, 0).toFixed(8));
  return { filled, price: filled > 0 ? own.reduce((sum, fill) => sum + fill.quantity * fill.price, 0) / filled : known };
}

/** Records the end of an order that the exchange no longer has, from the fills that it still reports. */
export function recordForgotten({ store, bot }: OrderContext, row: OrderRow, fills: readonly ExchangeFill[]): Promise<OrderRow> {
  const { filled, price } = filledOf(row, fills);
  const state = filled > 0 ? 'filled' : 'cancelled';
  return store.recordOutcome({ bot, row, set: { state, filled, price, reason: row.reason ?? 'forgotten by the exchange' } });
}

/**
 * Records the outcomes of this cycle's orders, and returns the orders. The fills of the cycle tell most outcomes; an order without
 * fills is looked up. If the look-up fails, the next cycle retries it: the position must get its stop first.
 */
export async function settlePlaced(orders: OrderContext, fills: readonly ExchangeFill[]): Promise<OrderRow[]> {
  const settled: OrderRow[] = [];
  for (const row of orders.open.splice(0)) {
    const { filled, price } = filledOf(row, fills);
    if (filled >= row.quantity)
      settled.push(await orders.store.recordOutcome({ bot: orders.bot, row, set: { state: 'filled', filled, price } }));
    else settled.push(...(await lookUpOrders(orders, [row]).catch(unlessExchange)));
  }
  return settled;
}

function unlessExchange(error: unknown): OrderRow[] {
  if (error instanceof ExchangeError) return [];
  throw error;
}

/** Asks the exchange for each order and records its state. An order that the exchange does not know stays as it is. */
export async function lookUpOrders(orders: OrderContext, rows: readonly OrderRow[]): Promise<OrderRow[]> {
  const current: OrderRow[] = [];
  for (const row of rows) {
    const order = await orders.account.find(row.clientId);
    current.push(order ? await recordExchangeState(orders, row, order) : row);
  }
  return current;
}
