import * as z from 'zod/mini';
import type { ExchangeOrder, ExchangePosition, KeyFacts } from '../exchange.ts';
import { amount, id, moment, number, optional, rowsOf, some, someAmount, text, words } from '../live/answers.ts';
import { isOurs } from '../live/our-orders.ts';

const direction = z.enum(['buy', 'sell']);

export const orders = rowsOf(
  z.object({
    ordId: text,
    clOrdId: words,
    algoId: words,
    side: direction,
    ordType: text,
    /** Contracts. */
    sz: amount,
    accFillSz: someAmount,
    avgPx: someAmount,
    /** Negative if paid. */
    fee: some,
    state: text,
    uTime: moment,
  }),
);
type OrderRow = z.output<typeof orders>[number];

export const placed = rowsOf(z.object({ ordId: text }), 1);

/** Stop and take-profit orders. */
export const algos = rowsOf(
  z.object({
    algoId: text,
    algoClOrdId: words,
    side: direction,
    /** Contracts; empty for an order about the whole position, which has a `closeFraction` of 1. */
    sz: some,
    closeFraction: words,
    slTriggerPx: some,
    tpTriggerPx: some,
    /** Which of the two was triggered: `sl` or `tp`. */
    actualSide: words,
  }),
);
export type AlgoRow = z.output<typeof algos>[number];

export const positions = rowsOf(
  z.object({
    posSide: words,
    mgnMode: words,
    /** Contracts; negative for a short position. */
    pos: some,
    avgPx: someAmount,
    markPx: someAmount,
    liqPx: some,
    lever: some,
    upl: some,
    cTime: optional(moment, 0),
  }),
);
export type PositionRow = z.output<typeof positions>[number];

export const fills = rowsOf(
  z.object({
    billId: text,
    ordId: words,
    clOrdId: words,
    subType: words,
    side: direction,
    fillPx: amount,
    fillSz: amount,
    fillPnl: some,
    /** Negative if paid. */
    fee: some,
    ts: moment,
  }),
);
export type FillRow = z.output<typeof fills>[number];

export const bills = rowsOf(z.object({ billId: text, instId: words, sz: some, px: some, pnl: some, ts: moment }));

export const configs = rowsOf(z.object({ uid: id, mainUid: id, perm: words, acctLv: words, posMode: words }), 1);
export type Config = z.output<typeof configs>[number];
/** Fees are negative if paid. `takerU` is that of USDT contracts in answers without groups of instruments. */
const feeGroup = z.object({ groupId: text, taker: number });
export const tradeFees = rowsOf(z.object({ takerU: some, feeGroup: optional(rowsOf(feeGroup), []) }), 1);
export const leverages = rowsOf(z.object({ mgnMode: words, lever: some }));
export const balances = rowsOf(z.object({ details: optional(rowsOf(z.object({ ccy: text, eq: number })), []) }));

/** OKX allows only letters and digits, so our ids are sent without dashes. */
export const idThere = (clientId: string): string => clientId.replaceAll('-', '');

/** Returns our order id of an id at OKX; undefined for the orders of the account's owner. */
export function idHere(there: string): string | undefined {
  const dashed = there.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  return isOurs(dashed) ? dashed : undefined;
}

/** A smaller remainder is floating-point noise, BTC. */
const DECIMALS = 8;

/** Converts contracts of `contract` BTC. */
export const toBtc = (contracts: number, contract: number): number => Number((contracts * contract).toFixed(DECIMALS));

export function toOrder(row: OrderRow, contract: number): ExchangeOrder {
  const { clOrdId, ordId, side, ordType, sz, accFillSz, avgPx, fee, uTime } = row;
  return {
    clientId: idHere(clOrdId) ?? '',
    exchangeId: ordId,
    direction: side,
    type: ordType === 'market' ? 'market' : 'limit',
    quantity: toBtc(sz, contract),
    state: stateOf(row),
    filled: toBtc(accFillSz, contract),
    price: accFillSz > 0 && avgPx > 0 ? avgPx : null,
    fees: 0 - fee,
    updatedAt: uTime,
  };
}

function stateOf({ state, accFillSz }: OrderRow): ExchangeOrder['state'] {
  if (state === 'filled') return 'filled';
  if (state === 'canceled' || state === 'mmp_canceled') return accFillSz > 0 ? 'partly-filled-cancelled' : 'cancelled';
  return 'open';
}

/** Returns the row of the open position: ours, which has isolated margin, before another one. */
export function openRow(rows: readonly PositionRow[]): PositionRow | undefined {
  const open = rows.filter(({ pos }) => pos !== 0);
  return open.find(({ mgnMode }) => mgnMode === 'isolated') ?? open[0];
}

/** Whether a stop or target ends the whole position. */
export const isWhole = ({ side, sz, closeFraction }: AlgoRow, { pos }: PositionRow): boolean =>
  side === (pos > 0 ? 'sell' : 'buy') && (Number(closeFraction) === 1 || sz >= Math.abs(pos));

/** Returns the open position with the stop and target that are reached first; null without one. */
export function toPosition(rows: readonly PositionRow[], attached: readonly AlgoRow[], contract: number): ExchangePosition | null {
  const row = openRow(rows);
  if (!row) return null;
  const { pos, posSide, avgPx, markPx, liqPx, lever, upl, cTime } = row;
  const isLong = pos > 0 && posSide !== 'short';
  const whole = attached.filter((one) => isWhole(one, row));
  const nearest = (levels: number[], highest: boolean): number | null => {
    const set = levels.filter((level) => level > 0);
    return set.length === 0 ? null : highest ? Math.max(...set) : Math.min(...set);
  };
  return {
    side: isLong ? 'long' : 'short',
    quantity: toBtc(Math.abs(pos), contract),
    entryPrice: avgPx,
    markPrice: markPx,
    stop: nearest(
      whole.map(({ slTriggerPx }) => slTriggerPx),
      isLong,
    ),
    target: nearest(
      whole.map(({ tpTriggerPx }) => tpTriggerPx),
      !isLong,
    ),
    liquidationPrice: liqPx,
    leverage: lever,
    unrealised: upl,
    openedAt: cTime,
  };
}

/** Returns the facts of a key. OKX reports neither the owner's country, because its sites refuse other countries, nor an expiry of keys in use. */
export function toKeyFacts({ uid, perm }: Config, told: Pick<KeyFacts, 'referred' | 'takerFee'>): KeyFacts {
  const allowed = perm.split(',');
  return {
    mayTrade: allowed.includes('trade'),
    mayWithdraw: allowed.includes('withdraw'),
    accountId: uid,
    ...told,
    expiresAt: null,
    restricted: false,
  };
}
