import type * as z from 'zod/mini';
import { DAY } from '#domain/clock.ts';
import { createRecentMap, type RecentMap } from '#server/recent-map.ts';
import { ExchangeError, type ExchangeFill } from '../exchange.ts';
import { parseResult } from '../live/answers.ts';
import { hasCode } from '../live/errors.ts';
import { algos, bills, type FillRow, fills, idHere, orders, toBtc } from './answers.ts';
import { MARKET } from './market.ts';
import type { Connection } from './protocol.ts';
import type { ContractTerms } from './terms.ts';

/** How far back the fast calls reach, and how long OKX keeps data, ms. Both are a day short, because clocks differ. */
const RECENT_FILLS = 2 * DAY;
const RECENT_BILLS = 6 * DAY;
const MEMORY = 89 * DAY;
/** Rows in a page, and pages in one answer. */
const PAGE = 100;
const MAX_PAGES = 50;
/** Codes of an order that the exchange does not know. */
const UNKNOWN = [51603];

/** OKX's transaction types: liquidations of a part or the whole, and auto-deleveraging. */
const LIQUIDATION = /^10[0-7]$/;
const DELEVERAGING = /^12[5-8]$/;
const FUNDING = '8';

/** Orders whose cause is cached. */
const MAX_CAUSES = 1000;

type Cause = 'stop' | 'target' | 'order';
/** What triggered the orders that are not ours, by the exchange's order id. */
export type Causes = RecentMap<string, Cause>;
export const createCauses = (): Causes => createRecentMap(MAX_CAUSES);

/** Reads all pages of a list, newest first. */
async function readAll<Row extends { billId: string }>(
  connection: Connection,
  call: 'privateGetTradeFills' | 'privateGetTradeFillsHistory' | 'privateGetAccountBills' | 'privateGetAccountBillsArchive',
  shape: z.ZodMiniType<Row[]>,
  params: object,
): Promise<Row[]> {
  const all: Row[] = [];
  let after = '';
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const rows = parseResult(shape, (await connection.read(call, { ...params, limit: PAGE, ...(after && { after }) })).result);
    all.push(...rows);
    if (rows.length < PAGE) return all;
    after = rows.at(-1)?.billId ?? '';
  }
  // A missing fill would turn a closed position into an open one.
  throw new ExchangeError('unavailable', 'There are more executions than can be read.');
}

/** Returns what triggered an order that is not ours. A forgotten order counts as one by hand. */
async function causeOf({ read }: Connection, ordId: string): Promise<Cause> {
  try {
    const [order] = parseResult(orders, (await read('privateGetTradeOrder', { ...MARKET, ordId })).result);
    if (!order?.algoId) return 'order';
    const [algo] = parseResult(algos, (await read('privateGetTradeOrderAlgo', { algoId: order.algoId })).result);
    return algo?.actualSide === 'sl' ? 'stop' : algo?.actualSide === 'tp' ? 'target' : 'order';
  } catch (error) {
    if (hasCode(error, ...UNKNOWN)) return 'order';
    throw error;
  }
}

async function reasonOf(connection: Connection, { subType, clOrdId, ordId }: FillRow, causes: Causes): Promise<ExchangeFill['reason']> {
  if (LIQUIDATION.test(subType)) return 'liquidation';
  if (DELEVERAGING.test(subType)) return 'adl';
  if (idHere(clOrdId) !== undefined) return 'order';
  const cause = causes.get(ordId) ?? (await causeOf(connection, ordId));
  causes.set(ordId, cause);
  return cause;
}

interface Surroundings {
  terms: ContractTerms;
  causes: Causes;
  /** The exchange's time, ms. */
  now: number;
}

/** Reads the fills and funding payments since a time, oldest first. */
export async function readFills(connection: Connection, since: number, { terms, causes, now }: Surroundings): Promise<ExchangeFill[]> {
  const begin = Math.max(0, Math.floor(since), now - MEMORY);
  const range = { instType: 'SWAP', ...MARKET, begin };
  const [traded, paid] = await Promise.all([
    readAll(connection, begin > now - RECENT_FILLS ? 'privateGetTradeFills' : 'privateGetTradeFillsHistory', fills, range),
    readAll(connection, begin > now - RECENT_BILLS ? 'privateGetAccountBills' : 'privateGetAccountBillsArchive', bills, {
      ...range,
      type: FUNDING,
    }),
  ]);
  const found = new Map<string, ExchangeFill>();
  for (const { billId, sz, px, pnl, ts } of paid) {
    const payment = { clientId: null, reason: 'funding', direction: pnl < 0 ? 'sell' : 'buy', price: px, fee: 0, realised: pnl } as const;
    found.set(billId, { id: billId, at: ts, quantity: toBtc(sz, terms.contract), ...payment });
  }
  for (const row of traded) {
    const { billId, clOrdId, side, fillSz, fillPx, fee, fillPnl, ts } = row;
    found.set(billId, {
      id: billId,
      at: ts,
      clientId: idHere(clOrdId) ?? null,
      reason: await reasonOf(connection, row, causes),
      direction: side,
      quantity: toBtc(fillSz, terms.contract),
      price: fillPx,
      fee: 0 - fee,
      realised: fillPnl,
    });
  }
  // Ids of bills rise, and have too many digits for a number.
  const rising = (a: string, b: string) => a.length - b.length || (a < b ? -1 : 1);
  return [...found.values()].sort((a, b) => a.at - b.at || rising(a.id, b.id));
}
