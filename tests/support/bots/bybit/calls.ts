/** The supported calls of Bybit v5. Each maps parameters to a result. */

import { MINUTE } from '#domain/clock.ts';
import { type Candle, foldCandles } from '#domain/market/candles.ts';
import { FUNDING_EVERY } from '#server/strategy/matching/perpetual.ts';
import type { Market } from '../fake-exchange.ts';
import { attachedRows, executionRow, FEE_RATE, INSTRUMENT, orderRow, positionRow, RISK_TIERS, tickerRow, walletRow } from './answers.ts';
import type { Call } from './faults.ts';
import { isOpen, Refusal, type Venue, type VenueOrder } from './venue.ts';

/** Longest time range of one request for executions, ms. */
const WEEK = 7 * 24 * 60 * MINUTE;
/** How long the history keeps orders that nothing filled, ms. */
const UNFILLED_KEPT = 24 * 60 * MINUTE;

export interface MarkedMarket extends Market {
  /** Candles of the mark price, like those of the last price. */
  marks: () => readonly Candle[];
}

/** An API key with its permissions, as Bybit reports it. */
export interface KeyInfo {
  userId: number;
  readOnly: boolean;
  permissions: { ContractTrade: string[]; Wallet: string[]; [group: string]: string[] };
  /** Allowed addresses; empty allows all. */
  ips: string[];
  affiliateId: number;
  kycRegion: string;
  /** The main account's id; 0 for a main account. */
  parentUid: number;
}

interface Surroundings extends MarkedMarket {
  info: (KeyInfo & { key: string; expiresAt: number | null }) | undefined;
  /** Whether a user signed up through an affiliate's link. */
  isCustomer: (affiliate: number, uid: number) => boolean;
}

type Carry = (params: Call['params'], venue: Venue, around: Surroundings) => unknown;

const said = (params: Call['params'], name: string): string | undefined => {
  const value = params[name];
  return value === undefined || value === '' ? undefined : String(value);
};
const amount = (params: Call['params'], name: string): number | undefined => {
  const value = said(params, name);
  return value === undefined ? undefined : Number(value);
};

function demandSymbol(params: Call['params']): void {
  if (params.category !== 'linear' || (params.symbol ?? 'BTCUSDT') !== 'BTCUSDT') throw new Refusal(10001, 'params error: symbol invalid');
}

/** Returns one page of a list, newest first, with a cursor to the next page. */
function paged<T>(rows: readonly T[], params: Call['params'], most: number) {
  const size = Math.min(amount(params, 'limit') ?? 50, most);
  const from = Number(said(params, 'cursor') ?? 0);
  const list = rows.slice(from, from + size);
  return { category: 'linear', list, nextPageCursor: from + size < rows.length ? String(from + size) : '' };
}

const matches = (params: Call['params']) => {
  const link = said(params, 'orderLinkId');
  const id = said(params, 'orderId');
  return (row: { orderId: string; orderLinkId: string }) =>
    (link === undefined || row.orderLinkId === link) && (id === undefined || row.orderId === id);
};

/** Whether a list of orders has an order at `now`. `recent` is the list of open and recent orders; the other one is the history. */
function isListed(order: VenueOrder, recent: boolean, now: number): boolean {
  if (order.isHidden) return false;
  if (isOpen(order)) return recent;
  if (recent) return order.clearedAt === null;
  return order.filled > 0 || now - order.updatedAt < UNFILLED_KEPT;
}

function interval(params: Call['params']): number {
  const given = said(params, 'interval') ?? '';
  const minutes = given === 'D' ? 1440 : Number(given);
  if (!(minutes > 0)) throw new Refusal(10001, 'Invalid period!');
  return minutes * MINUTE;
}

function place(params: Call['params'], venue: Venue) {
  demandSymbol(params);
  const linkId = said(params, 'orderLinkId');
  if (linkId !== undefined && linkId.length > 36) throw new Refusal(10001, 'orderLinkId longer than 36');
  if (params.positionIdx !== undefined && Number(params.positionIdx) !== 0)
    throw new Refusal(10001, 'position idx not match position mode');
  const trigger = amount(params, 'triggerPrice');
  const limit = params.orderType === 'Limit';
  const stop = amount(params, 'stopLoss');
  if (stop !== undefined && params.slTriggerBy !== 'MarkPrice') throw new Refusal(10001, 'this account wants its stops by mark price');
  const order = venue.place({
    ...(linkId !== undefined && { orderLinkId: linkId }),
    direction: params.side === 'Buy' ? 'buy' : 'sell',
    type: trigger === undefined ? (limit ? 'limit' : 'market') : 'stop-market',
    quantity: amount(params, 'qty') ?? 0,
    price: amount(params, 'price'),
    trigger,
    reduceOnly: params.reduceOnly === true || params.reduceOnly === 'true',
    stop,
    target: amount(params, 'takeProfit'),
  });
  return { orderId: order.orderId, orderLinkId: order.orderLinkId };
}

const pricesOf = ({ time, open, high, low, close }: Omit<Candle, 'volume'>): number[] => [time, open, high, low, close];

/** Lists candles as Bybit does: newest first, the open one included. */
function listKlines(params: Call['params'], candles: readonly Candle[], now: number): Candle[] {
  demandSymbol(params);
  const begun = candles.filter(({ time }) => time <= now);
  const start = amount(params, 'start') ?? 0;
  const end = amount(params, 'end') ?? Number.POSITIVE_INFINITY;
  const count = Math.min(amount(params, 'limit') ?? 200, 1000);
  return foldCandles(begun, interval(params))
    .filter(({ time }) => time >= start && time <= end)
    .slice(-count)
    .reverse();
}

export const PUBLIC: Record<string, (params: Call['params'], market: MarkedMarket) => unknown> = {
  'market/time': (_params, { now }) => ({ timeSecond: String(Math.floor(now() / 1000)), timeNano: `${now()}000000` }),
  'market/kline': (params, { candles, now }) => {
    const row = ({ volume, close, ...candle }: Candle) => [...pricesOf({ ...candle, close }), volume, volume * close].map(String);
    return { category: 'linear', symbol: 'BTCUSDT', list: listKlines(params, candles(), now()).map(row) };
  },
  'market/mark-price-kline': (params, { marks, now }) => {
    const list = listKlines(params, marks(), now()).map((candle) => pricesOf(candle).map(String));
    return { category: 'linear', symbol: 'BTCUSDT', list };
  },
  'market/tickers': (params, { price, mark, now }) => {
    demandSymbol(params);
    return { category: 'linear', list: [tickerRow(price(), mark(), Math.ceil(now() / FUNDING_EVERY) * FUNDING_EVERY)] };
  },
  'market/instruments-info': (params) => {
    demandSymbol(params);
    return { category: 'linear', list: [INSTRUMENT], nextPageCursor: '' };
  },
  'market/risk-limit': (params) => {
    demandSymbol(params);
    return { category: 'linear', list: RISK_TIERS, nextPageCursor: '' };
  },
};

export const PRIVATE: Record<string, Carry> = {
  'user/query-api': (_params, _venue, { info, now }) => ({
    id: '1',
    note: 'bot',
    apiKey: info?.key,
    readOnly: info?.readOnly ? 1 : 0,
    secret: '',
    permissions: info?.permissions,
    ips: info?.ips.length === 0 ? ['*'] : info?.ips,
    type: 1,
    deadlineDay: info?.expiresAt == null ? -1 : Math.floor((info.expiresAt - now()) / (24 * 60 * MINUTE)),
    expiredAt: info?.expiresAt == null ? '1970-01-01T00:00:00Z' : new Date(info.expiresAt).toISOString(),
    unified: 0,
    uta: 1,
    userID: info?.userId,
    inviterID: 0,
    vipLevel: 'No VIP',
    affiliateID: info?.affiliateId,
    isMaster: info?.parentUid === 0,
    parentUid: String(info?.parentUid),
    kycLevel: 'LEVEL_1',
    kycRegion: info?.kycRegion,
  }),
  'user/aff-customer-info': (params, _venue, { info, isCustomer }) => {
    const uid = amount(params, 'uid') ?? 0;
    if (!isCustomer(info?.userId ?? 0, uid)) throw new Refusal(10001, 'uid is not your client');
    return { uid: String(uid), vipLevel: '0', KycLevel: 1 };
  },
  'account/info': (_params, venue) => ({
    marginMode: venue.settings.marginMode,
    unifiedMarginStatus: 5,
    isMasterTrader: false,
    updatedTime: '0',
  }),
  'account/set-margin-mode': ({ setMarginMode }, venue) => {
    if (venue.position()) throw new Refusal(3400045, 'Set margin mode failed');
    venue.settings.marginMode = String(setMarginMode);
    return { reasons: [] };
  },
  'account/wallet-balance': (_params, venue) => ({ list: [walletRow(venue)] }),
  'account/fee-rate': () => ({ category: 'linear', list: [FEE_RATE] }),
  'position/list': (params, venue, { mark, now }) => {
    demandSymbol(params);
    const row = positionRow(venue, mark(), now());
    // Hedge mode has one row for each side.
    const list = venue.settings.hedge ? [1, 2].map((positionIdx) => ({ ...row, positionIdx })) : [row];
    return { category: 'linear', list, nextPageCursor: '' };
  },
  'position/switch-isolated': () => {
    throw new Refusal(100028, 'unified account is forbidden');
  },
  'position/switch-mode': (params, venue) => {
    demandSymbol(params);
    const hedge = Number(params.mode) === 3;
    if (hedge === venue.settings.hedge) throw new Refusal(110025, 'Position mode is not modified');
    if (venue.position()) throw new Refusal(110024, 'You have an existing position, so position mode cannot be switched');
    venue.settings.hedge = hedge;
    return {};
  },
  'position/set-leverage': (params, venue) => {
    demandSymbol(params);
    venue.setLeverage(amount(params, 'buyLeverage') ?? 0);
    return {};
  },
  'position/trading-stop': (params, venue) => {
    demandSymbol(params);
    const position = venue.position();
    const level = (name: string, kept: number | null | undefined) => {
      const given = amount(params, name);
      return given === undefined ? (kept ?? null) : given === 0 ? null : given;
    };
    venue.protect(level('stopLoss', position?.stop), level('takeProfit', position?.target));
    return {};
  },
  'order/create': (params, venue) => place(params, venue),
  'order/cancel': (params, venue) => {
    demandSymbol(params);
    const order = venue.cancel(said(params, 'orderId') ?? said(params, 'orderLinkId') ?? '');
    return { orderId: order.orderId, orderLinkId: order.orderLinkId };
  },
  'order/realtime': (params, venue, { now }) => {
    demandSymbol(params);
    const isByName = said(params, 'orderId') !== undefined || said(params, 'orderLinkId') !== undefined;
    const closed = Number(params.openOnly ?? 0) !== 0;
    const rows = venue.orders.filter((order) => isListed(order, true, now()) && (isByName || isOpen(order) !== closed)).map(orderRow);
    return paged([...(closed ? [] : attachedRows(venue, now())), ...rows].filter(matches(params)).reverse(), params, 50);
  },
  'order/history': (params, venue, { now }) => {
    demandSymbol(params);
    return paged(
      venue.orders
        .filter((order) => isListed(order, false, now()))
        .map(orderRow)
        .filter(matches(params))
        .reverse(),
      params,
      50,
    );
  },
  'execution/list': (params, venue, { now }) => {
    demandSymbol(params);
    const start = amount(params, 'startTime');
    const end = amount(params, 'endTime') ?? (start === undefined ? now() : start + WEEK);
    if (end - (start ?? end - WEEK) > WEEK) throw new Refusal(10001, 'The time range between startTime and endTime cannot exceed 7 days');
    const listedTo = now() - venue.cruelty.executionDelay;
    const within = venue.executions.filter(({ at, listedAt }) => at >= (start ?? end - WEEK) && at <= end && listedAt <= listedTo);
    return paged(within.map(executionRow).filter(matches(params)).reverse(), params, 100);
  },
};
