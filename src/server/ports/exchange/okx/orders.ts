import { stepText } from '#server/strategy/sizing.ts';
import { ExchangeError, type ExchangeOrder, type NewOrder } from '../exchange.ts';
import { parseResult } from '../live/answers.ts';
import { hasCode } from '../live/errors.ts';
import { isOurs } from '../live/our-orders.ts';
import { idHere, idThere, orders, placed, toOrder } from './answers.ts';
import { MARGIN, MARKET } from './market.ts';
import type { Connection } from './protocol.ts';
import { attachedTo, clearStops } from './stops.ts';
import type { ContractTerms } from './terms.ts';

/** Rows in a page, and pages in one answer. */
const PAGE = 100;
const MAX_PAGES = 50;
/** Code of an order that the exchange does not know. Unfilled ones are forgotten two hours after they are canceled. */
const UNKNOWN = 51603;

/** Reads our open orders. */
export async function readOpenOrders({ read }: Connection, { contract }: ContractTerms): Promise<ExchangeOrder[]> {
  const found = new Map<string, ExchangeOrder>();
  let after = '';
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const params = { instType: 'SWAP', ...MARKET, limit: PAGE, ...(after && { after }) };
    const rows = parseResult(orders, (await read('privateGetTradeOrdersPending', params)).result);
    for (const row of rows) if (idHere(row.clOrdId)) found.set(row.ordId, toOrder(row, contract));
    after = rows.at(-1)?.ordId ?? '';
    if (rows.length < PAGE) break;
  }
  return [...found.values()];
}

/** Finds an order by our id; undefined if the exchange does not know it. */
export async function findOrder({ read }: Connection, clientId: string, { contract }: ContractTerms): Promise<ExchangeOrder | undefined> {
  try {
    const rows = parseResult(orders, (await read('privateGetTradeOrder', { ...MARKET, clOrdId: idThere(clientId) })).result);
    const row = rows.find(({ clOrdId }) => idHere(clOrdId) === clientId);
    return row && toOrder(row, contract);
  } catch (error) {
    if (hasCode(error, UNKNOWN)) return undefined;
    throw error;
  }
}

/** Places an order. `now` is the exchange's time, ms. */
export async function submitOrder(connection: Connection, order: NewOrder, terms: ContractTerms, now: number): Promise<ExchangeOrder> {
  const { clientId, direction, type, quantity, reduceOnly = false } = order;
  const params = paramsOf(order, terms);
  // A stop that an earlier position left behind would close this one.
  if (!reduceOnly) await clearStops(connection, clientId);
  const [{ ordId } = { ordId: '' }] = parseResult(placed, (await connection.write('privatePostTradeOrder', params)).result, true);
  // The order is placed, so a failed look-up must not look like a failed order.
  const found = await findOrder(connection, clientId, terms).catch(() => undefined);
  if (reduceOnly && found?.state === 'filled') await clearStops(connection).catch(() => undefined);
  const fresh = { state: 'open', filled: 0, price: null, fees: 0, updatedAt: now } as const;
  return found ?? { clientId, exchangeId: ordId, direction, type, quantity, ...fresh };
}

function paramsOf(order: NewOrder, terms: ContractTerms) {
  const { clientId, direction, type, quantity, price, reduceOnly = false } = order;
  if (!isOurs(clientId)) throw new ExchangeError('rejected', "This order's id is not ours.");
  if (type === 'stop-market') throw new ExchangeError('rejected', 'Bots place no stop orders of their own on this exchange.');
  const lot = Number((terms.quantity / terms.contract).toPrecision(12));
  const attached = attachedTo(order, terms);
  return {
    ...MARKET,
    tdMode: MARGIN,
    clOrdId: idThere(clientId),
    side: direction,
    ordType: type,
    sz: stepText(quantity / terms.contract, lot),
    reduceOnly,
    ...(price !== undefined && { px: stepText(price, terms.price) }),
    ...(attached && { attachAlgoOrds: [attached] }),
  };
}
