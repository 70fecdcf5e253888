/** OKX's answers about an account: numbers are strings, quantities are contracts, times are strings in ms. */
import { HOUR } from '#domain/clock.ts';
import { PERPETUAL } from '#server/strategy/matching/perpetual.ts';
import { type Execution, isOpen, type Venue, type VenueOrder } from '../bybit/venue.ts';
import type { Algo } from './algos.ts';

export const INST_ID = 'BTC-USDT-SWAP';
/** BTC in a contract. */
export const CONTRACT = 0.01;

const text = (value: number | null | undefined): string => (value === null || value === undefined ? '' : String(value));
export const contracts = (btc: number): string => String(Number((btc / CONTRACT).toFixed(6)));

/** OKX's state of an order. Nothing tells a rejection from a cancellation. */
const stateOf = (order: VenueOrder): string =>
  isOpen(order) ? (order.filled > 0 ? 'partially_filled' : 'live') : order.status === 'Filled' ? 'filled' : 'canceled';

export const orderRow = (order: VenueOrder) => ({
  instType: 'SWAP',
  instId: INST_ID,
  ordId: order.orderId,
  clOrdId: order.orderLinkId,
  algoId: '',
  algoClOrdId: '',
  side: order.direction,
  posSide: 'net',
  tdMode: 'isolated',
  ordType: order.type === 'limit' ? 'limit' : 'market',
  sz: contracts(order.quantity),
  px: text(order.price),
  accFillSz: contracts(order.filled),
  avgPx: text(order.mean),
  fee: text(0 - order.fees),
  feeCcy: 'USDT',
  state: stateOf(order),
  reduceOnly: String(order.reduceOnly),
  cTime: text(order.createdAt),
  uTime: text(order.updatedAt),
});

/** The order that the exchange placed for a stop, a target or itself. */
export const orderByExchange = ({ orderId, direction, quantity, price, fee, reason, at }: Execution) => ({
  instType: 'SWAP',
  instId: INST_ID,
  ordId: orderId,
  clOrdId: '',
  algoId: reason === 'stop' || reason === 'target' ? `algo-of-${orderId}` : '',
  side: direction,
  ordType: 'market',
  sz: contracts(quantity),
  accFillSz: contracts(quantity),
  avgPx: text(price),
  fee: text(0 - fee),
  state: 'filled',
  cTime: text(at),
  uTime: text(at),
});

export const algoRow = ({ algoId, algoClOrdId, side, quantity, isWhole, stop, target }: Algo) => ({
  instType: 'SWAP',
  instId: INST_ID,
  algoId,
  algoClOrdId,
  side,
  posSide: 'net',
  tdMode: 'isolated',
  ordType: stop !== null && target !== null ? 'oco' : 'conditional',
  state: 'live',
  sz: isWhole ? '' : contracts(quantity),
  closeFraction: isWhole ? '1' : '',
  slTriggerPx: text(stop),
  slTriggerPxType: stop === null ? '' : 'mark',
  slOrdPx: stop === null ? '' : '-1',
  tpTriggerPx: text(target),
  tpTriggerPxType: target === null ? '' : 'last',
  tpOrdPx: target === null ? '' : '-1',
  actualSide: '',
});

/** Transaction types of a one-way account. */
function subTypeOf(reason: Execution['reason'], direction: 'buy' | 'sell'): string {
  const [buy, sell] = { liquidation: ['106', '107'], adl: ['127', '128'] }[reason as 'liquidation' | 'adl'] ?? ['1', '2'];
  return (direction === 'buy' ? buy : sell) as string;
}

/** Bills have rising ids. */
const billIdOf = ({ seq }: Execution): string => String(1_000_000 + seq);

export const fillRow = (execution: Execution) => {
  const { at, reason, direction, quantity, price, fee, realised, orderId, orderLinkId } = execution;
  return {
    instType: 'SWAP',
    instId: INST_ID,
    tradeId: execution.id,
    ordId: orderId,
    clOrdId: orderLinkId,
    billId: billIdOf(execution),
    subType: subTypeOf(reason, direction),
    fillPx: text(price),
    fillSz: contracts(quantity),
    fillPnl: text(realised),
    side: direction,
    posSide: 'net',
    execType: 'T',
    feeCcy: 'USDT',
    fee: text(0 - fee),
    ts: text(at),
    fillTime: text(at),
  };
};

export const fundingRow = (execution: Execution) => {
  const { at, quantity, price, realised } = execution;
  return {
    billId: billIdOf(execution),
    instType: 'SWAP',
    instId: INST_ID,
    type: '8',
    subType: realised < 0 ? '173' : '174',
    ccy: 'USDT',
    mgnMode: 'isolated',
    sz: contracts(quantity),
    px: text(price),
    pnl: text(realised),
    balChg: '0',
    posBalChg: text(realised),
    ts: text(at),
  };
};

/** Rows of the open position. A former position may stay listed for a while, with nothing in it. */
export function positionRows(venue: Venue, mark: number, mgnMode: string) {
  const position = venue.position();
  const common = { instType: 'SWAP', instId: INST_ID, posSide: 'net', mgnMode, lever: text(venue.leverage()) };
  if (!position) return venue.executions.length === 0 ? [] : [{ ...common, pos: '0', avgPx: '', markPx: text(mark), liqPx: '', upl: '' }];
  const { side, quantity, entryPrice, liquidationPrice, openedAt } = position;
  return [
    {
      ...common,
      pos: `${side === 'short' ? '-' : ''}${contracts(quantity)}`,
      avgPx: text(entryPrice),
      markPx: text(mark),
      liqPx: text(liquidationPrice),
      upl: text(venue.equity() - venue.balance()),
      cTime: text(openedAt),
      // Filled for orders about the whole position alone, so callers read the list of stops.
      closeOrderAlgo: [],
    },
  ];
}

export const balanceRow = (venue: Venue) => ({
  totalEq: text(venue.equity()),
  details: [{ ccy: 'USDT', eq: text(venue.equity()), cashBal: text(venue.balance()), availEq: '' }],
});

/** The group of contracts whose fees apply. */
const FEE_GROUP = '4';

export const INSTRUMENT = {
  instType: 'SWAP',
  groupId: FEE_GROUP,
  instId: INST_ID,
  instFamily: 'BTC-USDT',
  settleCcy: 'USDT',
  ctVal: String(CONTRACT),
  ctMult: '1',
  ctValCcy: 'BTC',
  ctType: 'linear',
  lotSz: '0.01',
  minSz: '0.01',
  tickSz: '0.1',
  lever: '100',
  state: 'live',
};

/** The lowest tier of the market. */
/** The first tiers; sizes are in contracts. */
export const TIERS = [
  { tier: '1', mmr: text(PERPETUAL.maintenance), imr: '0.01', maxLever: '100', minSz: '0', maxSz: '1500' },
  { tier: '2', mmr: '0.0065', imr: '0.0125', maxLever: '80', minSz: '1500', maxSz: '5000' },
].map((tier) => ({ instFamily: 'BTC-USDT', ...tier }));

/** The rate is due at `fundingTime`. */
export const fundingRateRow = (now: number) => {
  const fundingTime = Math.ceil(now / (8 * HOUR)) * 8 * HOUR;
  return {
    instType: 'SWAP',
    instId: INST_ID,
    method: 'current_period',
    formulaType: 'withRate',
    fundingRate: '0.000125',
    nextFundingRate: '',
    fundingTime: text(fundingTime),
    nextFundingTime: text(fundingTime + 8 * HOUR),
    settState: 'settled',
    ts: text(now),
  };
};

/** `oi` is in contracts, `oiCcy` in BTC. */
export const openInterestRow = (now: number) => ({
  instType: 'SWAP',
  instId: INST_ID,
  oi: contracts(28_417.5),
  oiCcy: '28417.5',
  oiUsd: '1705050000',
  ts: text(now),
});

/** Fees are negative if paid. Instruments belong to groups. */
export const TRADE_FEES = {
  instType: 'SWAP',
  level: 'Lv1',
  taker: '-0.0005',
  maker: '-0.0002',
  takerU: '-0.0006',
  makerU: '-0.0002',
  feeGroup: [
    { groupId: '5', taker: '-0.0001', maker: '0' },
    { groupId: FEE_GROUP, taker: '-0.0005', maker: '-0.0002' },
  ],
};
