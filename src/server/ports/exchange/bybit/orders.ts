import { decimalsOf, stepText } from '#server/strategy/sizing.ts';
import { ExchangeError, type ExchangeOrder, type MarketTerms, type NewOrder } from '../exchange.ts';
import { parseResult } from '../live/answers.ts';
import { isOurs } from '../live/our-orders.ts';
import { created, orders, toOrder } from './answers.ts';
import { MARKET } from './market.ts';
import type { Connection } from './protocol.ts';

/** Rows in a page, and pages in one answer. */
const PAGE = 50;
const MAX_PAGES = 50;

/** Reads our open orders. */
export async function readOpenOrders({ read }: Connection): Promise<ExchangeOrder[]> {
  const found = new Map<string, ExchangeOrder>();
  let cursor = '';
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const { result } = await read('privateGetV5OrderRealtime', { ...MARKET, openOnly: 0, limit: PAGE, ...(cursor && { cursor }) });
    const { list, nextPageCursor } = parseResult(orders, result);
    for (const order of list.map(toOrder)) if (isOurs(order.clientId) && order.state === 'open') found.set(order.clientId, order);
    cursor = nextPageCursor;
    if (!cursor || list.length === 0) break;
  }
  return [...found.values()];
}

/** Finds an order. The history lags, and the realtime list forgets old orders, so both are searched. */
export async function findOrder({ read }: Connection, clientId: string): Promise<ExchangeOrder | undefined> {
  for (const call of ['privateGetV5OrderRealtime', 'privateGetV5OrderHistory'] as const) {
    const { result } = await read(call, { ...MARKET, orderLinkId: clientId });
    const row = parseResult(orders, result).list.find(({ orderLinkId }) => orderLinkId === clientId);
    if (row) return toOrder(row);
  }
  return undefined;
}

interface Surroundings {
  /** Returns the exchange's time, ms. */
  now: () => number;
  terms: MarketTerms;
}

/** Places an order. Bybit only confirms that it has accepted the order; the order's fills or a look-up tell how it ended. */
export async function submitOrder(connection: Connection, order: NewOrder, { now, terms }: Surroundings): Promise<ExchangeOrder> {
  const { result } = await connection.write('privatePostV5OrderCreate', { ...MARKET, ...paramsOf(order, terms) });
  const { orderId } = parseResult(created, result, true);
  const { clientId, direction, type, quantity } = order;
  return { clientId, exchangeId: orderId, direction, type, quantity, state: 'open', filled: 0, price: null, fees: 0, updatedAt: now() };
}

/** Formats a price in whole ticks; 0 removes a stop or target. */
const usd = (price: number, { price: tick }: MarketTerms): string => (price === 0 ? '0' : stepText(price, tick));

/** Parameters of a market stop by mark price for the whole position, and of its target. */
export const attached = (terms: MarketTerms, stop: number | undefined, target: number | undefined) => ({
  tpslMode: 'Full',
  ...(stop !== undefined && { stopLoss: usd(stop, terms), slTriggerBy: 'MarkPrice', slOrderType: 'Market' }),
  ...(target !== undefined && { takeProfit: usd(target, terms), tpTriggerBy: 'LastPrice', tpOrderType: 'Market' }),
});

function paramsOf(order: NewOrder, terms: MarketTerms) {
  const { clientId, direction, type, quantity, price, trigger, reduceOnly = false, stop, target } = order;
  if (!isOurs(clientId)) throw new ExchangeError('rejected', "This order's id is not ours.");
  return {
    side: direction === 'buy' ? 'Buy' : 'Sell',
    orderType: type === 'limit' ? 'Limit' : 'Market',
    qty: quantity.toFixed(decimalsOf(terms.quantity)),
    positionIdx: 0,
    orderLinkId: clientId,
    reduceOnly,
    ...(price !== undefined && { price: usd(price, terms), timeInForce: 'GTC' }),
    // 1: when price rises to it, 2: when it falls to it.
    ...(trigger !== undefined && {
      triggerPrice: usd(trigger, terms),
      triggerBy: 'MarkPrice',
      triggerDirection: direction === 'buy' ? 1 : 2,
    }),
    ...((stop !== undefined || target !== undefined) && attached(terms, stop, target)),
  };
}
