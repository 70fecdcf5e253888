import * as z from 'zod/mini';
import { DAY } from '#domain/clock.ts';
import type { Direction, ExchangeFill, ExchangeOrder, ExchangePosition, KeyFacts } from '../exchange.ts';
import { amount, id, moment, number, optional, rowsOf, some, someAmount, text, words } from '../live/answers.ts';
import { isOurs } from '../live/our-orders.ts';

const side = z.pipe(
  z.enum(['Buy', 'Sell']),
  z.transform((name): Direction => (name === 'Buy' ? 'buy' : 'sell')),
);

const page = <Row extends z.ZodMiniType>(row: Row) => z.object({ list: rowsOf(row), nextPageCursor: words });

const order = z.object({
  orderId: text,
  orderLinkId: words,
  side,
  orderType: text,
  stopOrderType: words,
  qty: amount,
  orderStatus: text,
  avgPrice: someAmount,
  cumExecQty: someAmount,
  cumFeeDetail: optional(z.object({ USDT: some }), { USDT: 0 }),
  rejectReason: words,
  updatedTime: moment,
});

const position = z.object({
  /** 0 in one-way mode. */
  positionIdx: some,
  side: words,
  size: amount,
  avgPrice: someAmount,
  markPrice: someAmount,
  stopLoss: someAmount,
  takeProfit: someAmount,
  liqPrice: some,
  leverage: someAmount,
  unrealisedPnl: some,
  /** When this position opened; `createdTime` is that of the first one ever. */
  openTime: optional(moment, 0),
  createdTime: optional(moment, 0),
});

const execution = z.object({
  execId: text,
  execTime: moment,
  orderLinkId: words,
  side: text,
  execQty: amount,
  execPrice: amount,
  execFee: some,
  execType: text,
  stopOrderType: words,
  createType: words,
  seq: some,
});

export const feeRates = z.object({ list: rowsOf(z.object({ symbol: text, takerFeeRate: number })) });

export const keyInformation = z.object({
  readOnly: z.number(),
  permissions: z.object({ ContractTrade: optional(rowsOf(text), []), Wallet: optional(rowsOf(text), []) }),
  deadlineDay: some,
  expiredAt: words,
  userID: id,
  parentUid: id,
  inviterID: id,
  affiliateID: id,
  kycRegion: words,
});

export const orders = page(order);
export const positions = page(position);
export const executions = page(execution);
export const accountInfo = z.object({ marginMode: text });
const wallet = z.object({ totalMarginBalance: z.optional(text), coin: rowsOf(z.object({ coin: text, equity: some })) });
export const wallets = z.object({ list: rowsOf(wallet) });
export const created = z.object({ orderId: text });
export const customer = z.object({ uid: id });

const REFUSED_FOR_MONEY = /InsufficientBalance|NoEnough(Margin|Balance)|AvailableBalance/i;

export function toOrder(row: z.output<typeof order>): ExchangeOrder {
  const { orderLinkId, orderId, side: direction, qty, avgPrice, cumExecQty, cumFeeDetail, updatedTime } = row;
  const state = stateOf(row);
  const stop = row.stopOrderType === 'Stop';
  return {
    clientId: orderLinkId,
    exchangeId: orderId,
    direction,
    type: stop ? 'stop-market' : row.orderType === 'Limit' ? 'limit' : 'market',
    quantity: qty,
    state,
    filled: cumExecQty,
    price: cumExecQty > 0 && avgPrice > 0 ? avgPrice : null,
    fees: cumFeeDetail.USDT,
    ...(state === 'rejected' && { reject: REFUSED_FOR_MONEY.test(row.rejectReason) ? 110007 : 10001 }),
    updatedAt: updatedTime,
  };
}

function stateOf({ orderStatus, cumExecQty }: z.output<typeof order>): ExchangeOrder['state'] {
  switch (orderStatus) {
    case 'Filled':
      return 'filled';
    case 'Rejected':
      return 'rejected';
    case 'Cancelled':
    case 'PartiallyFilledCanceled':
    case 'Deactivated':
      return cumExecQty > 0 ? 'partly-filled-cancelled' : 'cancelled';
    default:
      return 'open';
  }
}

/** Whether a wallet leaves out the margin that positions share, which Bybit does only under isolated margin. */
export const hasNoSharedMargin = (list: readonly z.output<typeof wallet>[]): boolean =>
  list.length > 0 && list.every(({ totalMarginBalance }) => totalMarginBalance === '');

/** Returns the open position; null without one. */
export function toPosition(rows: readonly z.output<typeof position>[]): ExchangePosition | null {
  const held = rows.find(({ size }) => size > 0);
  if (!held) return null;
  const { size, avgPrice, markPrice, stopLoss, takeProfit, liqPrice, leverage, unrealisedPnl, openTime, createdTime } = held;
  return {
    side: held.side === 'Sell' ? 'short' : 'long',
    quantity: size,
    entryPrice: avgPrice,
    markPrice,
    stop: stopLoss || null,
    target: takeProfit || null,
    liquidationPrice: liqPrice,
    leverage,
    unrealised: unrealisedPnl,
    openedAt: openTime || createdTime,
  };
}

const STOPS = /StopLoss|TrailingStop|TrailingProfit/;
const TARGETS = /TakeProfit/;

function reasonOf({ execType, stopOrderType, createType }: z.output<typeof execution>, ours: boolean): ExchangeFill['reason'] {
  if (execType === 'BustTrade' || /CreateByLiq/.test(createType)) return 'liquidation';
  if (execType === 'AdlTrade' || /CreateByAdl/.test(createType)) return 'adl';
  if (ours) return 'order';
  const cause = `${stopOrderType} ${createType}`;
  if (STOPS.test(cause)) return 'stop';
  return TARGETS.test(cause) ? 'target' : 'order';
}

/** A smaller remainder is floating-point noise, BTC. */
const QUANTITY_NOISE = 1e-9;

/**
 * Turns executions into unique fills, oldest first. Bybit does not report realized profit, so it is computed from the mean entry
 * price. The first execution must be one before which the account held nothing.
 */
export function toFills(rows: readonly z.output<typeof execution>[]): ExchangeFill[] {
  const unique = [...new Map(rows.map((row) => [row.execId, row])).values()];
  unique.sort((a, b) => a.execTime - b.execTime || a.seq - b.seq);
  /** Positive for a long position. */
  let held = 0;
  let entry = 0;
  return unique.map((row) => {
    const ours = isOurs(row.orderLinkId);
    const direction: Direction = row.side === 'Sell' ? 'sell' : 'buy';
    const { execId, execTime, execQty: quantity, execPrice: price, execFee } = row;
    const fill = { id: execId, at: execTime, clientId: ours ? row.orderLinkId : null, direction, quantity, price };
    if (row.execType === 'Funding') return { ...fill, clientId: null, reason: 'funding' as const, fee: 0, realised: -execFee };
    const change = direction === 'buy' ? quantity : -quantity;
    const closing = held * change < 0 ? Math.min(Math.abs(held), quantity) : 0;
    const realised = closing * (price - entry) * Math.sign(held);
    const rest = held + change;
    if (closing === 0) entry = (Math.abs(held) * entry + quantity * price) / (Math.abs(held) + quantity);
    else if (rest * held < 0) entry = price;
    held = Math.abs(rest) < QUANTITY_NOISE ? 0 : rest;
    return { ...fill, reason: reasonOf(row, ours), fee: execFee, realised };
  });
}

/** Bybit's names of the country whose residents may not use automated trading. */
const RESTRICTED = /^(US|USA|840)$/i;

export function toKeyFacts(
  { readOnly, permissions, userID, kycRegion, expiredAt, deadlineDay }: z.output<typeof keyInformation>,
  { referred, takerFee, now }: Pick<KeyFacts, 'referred' | 'takerFee'> & { now: number },
): KeyFacts {
  const ends = Date.parse(expiredAt);
  const left = deadlineDay > 0 ? now + deadlineDay * DAY : null;
  return {
    mayTrade: readOnly === 0 && ['Order', 'Position'].every((name) => permissions.ContractTrade.includes(name)),
    mayWithdraw: permissions.Wallet.includes('Withdraw'),
    accountId: userID,
    referred,
    // Keys limited to addresses never expire; Bybit dates them 1970.
    expiresAt: ends > 0 ? ends : left,
    restricted: RESTRICTED.test(kycRegion),
    takerFee,
  };
}
