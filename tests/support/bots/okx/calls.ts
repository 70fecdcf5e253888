/** The supported calls of OKX v5. Each maps parameters to rows. */

import { DAY, HOUR, MINUTE } from '#domain/clock.ts';
import { foldCandles } from '#domain/market/candles.ts';
import type { Call } from '../bybit/faults.ts';
import { isOpen, Refusal, type Venue, type VenueOrder } from '../bybit/venue.ts';
import type { Market } from '../fake-exchange.ts';
import type { Algos } from './algos.ts';
import {
  algoRow,
  balanceRow,
  CONTRACT,
  contracts,
  fillRow,
  fundingRateRow,
  fundingRow,
  INST_ID,
  INSTRUMENT,
  openInterestRow,
  orderByExchange,
  orderRow,
  positionRows,
  TIERS,
  TRADE_FEES,
} from './answers.ts';

/** How long unfilled orders are known after they are canceled, and how far back the quicker lists reach, ms. */
const UNFILLED_KEPT = 2 * HOUR;
const FILLS_KEPT = 3 * DAY;
const BILLS_KEPT = 7 * DAY;
/** Candles in the quicker list, and in one answer. */
const RECENT = 1440;

/** An API key with its account, as OKX describes it. */
export interface KeyInfo {
  userId: number;
  /** The main account's id; 0 for a main account. */
  parentUid: number;
  /** `read_only`, `trade`, `withdraw`. */
  permissions: string[];
  /** Allowed addresses; empty allows all. */
  ips: string[];
  /** 2 is futures mode. */
  acctLv: number;
}

export interface Surroundings extends Market {
  info: KeyInfo;
  algos: Algos;
  isInvited: (affiliate: number, uid: number) => boolean;
}

type Params = Call['params'];
type Carry = (params: Params, venue: Venue, around: Surroundings) => readonly unknown[];

const said = (params: Params, name: string): string | undefined => {
  const value = params[name];
  return value === undefined || value === '' ? undefined : String(value);
};
const amount = (params: Params, name: string): number | undefined => {
  const value = said(params, name);
  return value === undefined ? undefined : Number(value);
};
/** A level that callers set; 0 removes it, undefined leaves it. */
const level = (params: Params, name: string): number | null | undefined => {
  const value = amount(params, name);
  return value === 0 ? null : value;
};

function demandMarket(params: Params): void {
  if (params.instId !== INST_ID) throw new Refusal(51001, "Instrument ID doesn't exist");
}

function lengthOf(bar: string | undefined): number {
  const [, count, unit] = /^(\d+)(m|H|Dutc)$/.exec(bar ?? '1m') ?? [];
  if (count === undefined) throw new Refusal(51000, 'Parameter bar error');
  return Number(count) * { m: MINUTE, H: HOUR, Dutc: DAY }[unit as 'm' | 'H' | 'Dutc'];
}

/** Both bounds are outside of the answer. */
function candleRows(params: Params, { candles, now }: Market, isHistory: boolean): readonly unknown[] {
  demandMarket(params);
  const length = lengthOf(said(params, 'bar'));
  const after = amount(params, 'after') ?? Number.POSITIVE_INFINITY;
  const before = amount(params, 'before') ?? Number.NEGATIVE_INFINITY;
  const oldest = isHistory ? 0 : now() - RECENT * length;
  return foldCandles(
    candles().filter(({ time }) => time <= now()),
    length,
  )
    .filter(({ time }) => time < after && time > before && time >= oldest)
    .slice(-Math.min(amount(params, 'limit') ?? 100, isHistory ? 100 : 300))
    .reverse()
    .map(({ time, open, high, low, close, volume }) =>
      [time, open, high, low, close, volume / CONTRACT, volume, volume * close, time + length <= now() ? 1 : 0].map(String),
    );
}

export const PUBLIC: Record<string, (params: Params, market: Market) => readonly unknown[]> = {
  'public/time': (_params, { now }) => [{ ts: String(now()) }],
  'public/instruments': () => [INSTRUMENT],
  'public/position-tiers': () => TIERS,
  'public/funding-rate': (params, { now }) => {
    demandMarket(params);
    return [fundingRateRow(now())];
  },
  'public/open-interest': (params, { now }) => {
    demandMarket(params);
    if (params.instType !== 'SWAP') throw new Refusal(51000, 'Parameter instType error');
    return [openInterestRow(now())];
  },
  'market/candles': (params, market) => candleRows(params, market, false),
  'market/history-candles': (params, market) => candleRows(params, market, true),
};

const isKnown = (order: VenueOrder, now: number): boolean =>
  !order.isHidden && (isOpen(order) || order.filled > 0 || now - order.updatedAt < UNFILLED_KEPT);

function findRow(params: Params, venue: Venue, now: number): unknown {
  const ordId = said(params, 'ordId');
  const clOrdId = said(params, 'clOrdId');
  const order = venue.orders.find(({ orderId, orderLinkId }) => (clOrdId === undefined ? orderId === ordId : orderLinkId === clOrdId));
  if (order && isKnown(order, now)) return orderRow(order);
  const execution = venue.executions.find(({ orderId }) => orderId === ordId && ordId !== undefined);
  if (execution && !order) return orderByExchange(execution);
  throw new Refusal(51603, 'Order does not exist');
}

function place(params: Params, venue: Venue, algos: Algos): readonly unknown[] {
  demandMarket(params);
  const clOrdId = said(params, 'clOrdId');
  if (clOrdId !== undefined && !/^[A-Za-z0-9]{1,32}$/.test(clOrdId)) throw new Refusal(51000, 'Parameter clOrdId error');
  if (params.tdMode !== 'isolated') throw new Refusal(51000, 'this account wants isolated margin');
  const lots = (amount(params, 'sz') ?? 0) / 0.01;
  if (Math.abs(lots - Math.round(lots)) > 1e-6) throw new Refusal(51121, 'Order quantity must be a multiple of the lot size.');
  const [attached, ...more] = (params.attachAlgoOrds ?? []) as Params[];
  if (more.length > 0) throw new Refusal(51000, 'Parameter attachAlgoOrds error');
  if (attached?.slTriggerPx !== undefined && attached.slTriggerPxType !== 'mark')
    throw new Refusal(51000, 'this account wants its stops by mark price');
  const order = venue.place({
    ...(clOrdId !== undefined && { orderLinkId: clOrdId }),
    direction: params.side === 'buy' ? 'buy' : 'sell',
    type: params.ordType === 'limit' ? 'limit' : 'market',
    quantity: Number(((amount(params, 'sz') ?? 0) * CONTRACT).toFixed(8)),
    price: amount(params, 'px'),
    trigger: undefined,
    reduceOnly: params.reduceOnly === true,
    stop: attached && amount(attached, 'slTriggerPx'),
    target: attached && amount(attached, 'tpTriggerPx'),
  });
  // OKX places what is attached once the order is filled completely.
  if (attached && order.status === 'PartiallyFilledCanceled') venue.byHand.removeStop();
  else if (attached) algos.attach(said(attached, 'attachAlgoClOrdId') ?? '');
  return [{ ordId: order.orderId, clOrdId: order.orderLinkId, sCode: '0', sMsg: '' }];
}

/** One page, newest first. `id` names the rows for the cursor. */
function paged<T>(rows: readonly T[], params: Params, id: (row: T) => string): readonly T[] {
  const newest = [...rows].reverse();
  const after = said(params, 'after');
  const from = after === undefined ? 0 : newest.findIndex((row) => id(row) === after) + 1;
  return newest.slice(from, from + Math.min(amount(params, 'limit') ?? 100, 100));
}

/** Executions since `begin` that the list has already, or only those of the last `kept` ms. */
function executionsOf(params: Params, venue: Venue, now: number, kept: number) {
  const begin = Math.max(amount(params, 'begin') ?? 0, now - kept);
  const listedTo = now - venue.cruelty.executionDelay;
  return venue.executions.filter(({ at }) => at >= begin && at <= (amount(params, 'end') ?? listedTo) && at <= listedTo);
}

const fills =
  (kept: number): Carry =>
  (params, venue, { now }) =>
    paged(
      executionsOf(params, venue, now(), kept)
        .filter(({ reason }) => reason !== 'funding')
        .map(fillRow),
      params,
      ({ billId }) => billId,
    );

const bills =
  (kept: number): Carry =>
  (params, venue, { now }) =>
    paged(
      executionsOf(params, venue, now(), kept)
        .filter(({ reason }) => reason === 'funding')
        .map(fundingRow),
      params,
      ({ billId }) => billId,
    );

export const PRIVATE: Record<string, Carry> = {
  'account/config': (_params, venue, { info }) => [
    {
      uid: String(info.userId),
      mainUid: String(info.parentUid || info.userId),
      acctLv: String(info.acctLv),
      posMode: venue.settings.hedge ? 'long_short_mode' : 'net_mode',
      perm: info.permissions.join(','),
      ip: info.ips.join(','),
      kycLv: '3',
      label: 'bot',
    },
  ],
  'POST account/set-position-mode': ({ posMode }, venue) => {
    if (venue.position()) throw new Refusal(59000, 'Setting failed. Cancel any open orders, close positions, and stop trading bots first.');
    venue.settings.hedge = posMode !== 'net_mode';
    return [{ posMode }];
  },
  'account/trade-fee': () => [TRADE_FEES],
  'account/balance': (_params, venue) => [balanceRow(venue)],
  'account/positions': (_params, venue, { mark }) => {
    const mgnMode = venue.settings.marginMode === 'CROSS' ? 'cross' : 'isolated';
    return positionRows(venue, mark(), mgnMode);
  },
  'account/leverage-info': (params, venue) => [
    { instId: INST_ID, mgnMode: params.mgnMode, posSide: 'net', lever: String(venue.leverage()) },
  ],
  'POST account/set-leverage': (params, venue) => {
    demandMarket(params);
    if (params.mgnMode !== 'isolated') throw new Refusal(51000, 'Parameter mgnMode error');
    if (venue.leverage() !== amount(params, 'lever')) venue.setLeverage(amount(params, 'lever') ?? 0);
    return [{ instId: INST_ID, lever: params.lever, mgnMode: 'isolated', posSide: 'net' }];
  },
  'account/bills': bills(BILLS_KEPT),
  'account/bills-archive': bills(Number.POSITIVE_INFINITY),
  'affiliate/invitee/detail': (params, _venue, { info, isInvited }) => {
    if (!isInvited(info.userId, amount(params, 'uid') ?? 0)) throw new Refusal(51621, "The user isn't your invitee");
    return [{ inviteeLv: '1', joinTime: '0', affiliateCode: 'TIDEMARK' }];
  },
  'trade/order': (params, venue, { now }) => [findRow(params, venue, now())],
  'trade/orders-pending': (params, venue) =>
    paged(venue.orders.filter((order) => isOpen(order) && !order.isHidden).map(orderRow), params, ({ ordId }) => ordId),
  'trade/fills': fills(FILLS_KEPT),
  'trade/fills-history': fills(Number.POSITIVE_INFINITY),
  'trade/orders-algo-pending': (_params, _venue, { algos }) => algos.list().map(algoRow),
  'trade/order-algo': (params, venue) => {
    const execution = venue.executions.find(({ orderId }) => `algo-of-${orderId}` === params.algoId);
    if (!execution) throw new Refusal(51603, 'Order does not exist');
    const actualSide = execution.reason === 'stop' ? 'sl' : 'tp';
    return [{ algoId: params.algoId, algoClOrdId: '', side: execution.direction, sz: contracts(execution.quantity), actualSide }];
  },
  'POST trade/order': (params, venue, { algos }) => place(params, venue, algos),
  'POST trade/cancel-order': (params, venue) => {
    const order = venue.cancel(said(params, 'clOrdId') ?? said(params, 'ordId') ?? '');
    return [{ ordId: order.orderId, clOrdId: order.orderLinkId, sCode: '0', sMsg: '' }];
  },
  'POST trade/order-algo': (params, _venue, { algos }) => {
    demandMarket(params);
    if (params.closeFraction !== '1' || params.reduceOnly !== true)
      throw new Refusal(51328, 'closeFraction is only available for reduceOnly orders');
    if (params.slTriggerPx !== undefined && params.slTriggerPxType !== 'mark')
      throw new Refusal(51000, 'this account wants its stops by mark price');
    const target = params.ordType === 'oco' ? level(params, 'tpTriggerPx') : undefined;
    const algo = algos.place(said(params, 'algoClOrdId') ?? '', { stop: level(params, 'slTriggerPx') ?? null, target: target ?? null });
    return [{ algoId: algo.algoId, algoClOrdId: algo.algoClOrdId, sCode: '0', sMsg: '' }];
  },
  'POST trade/amend-algos': (params, _venue, { algos }) => {
    algos.amend(String(params.algoId), { stop: level(params, 'newSlTriggerPx'), target: level(params, 'newTpTriggerPx') });
    return [{ algoId: params.algoId, sCode: '0', sMsg: '' }];
  },
  'POST trade/cancel-algos': (params, _venue, { algos }) => {
    const rows = Object.values(params) as Params[];
    for (const { algoId } of rows) algos.cancel(String(algoId));
    return rows.map(({ algoId }) => ({ algoId, sCode: '0', sMsg: '' }));
  },
};
