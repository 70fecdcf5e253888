/** Bybit's answers about an account: numbers are strings, times are strings in ms. */
import { PERPETUAL } from '#server/strategy/matching/perpetual.ts';
import type { Execution, Venue, VenueOrder } from './venue.ts';

const SYMBOL = 'BTCUSDT';
const side = (direction: 'buy' | 'sell'): string => (direction === 'buy' ? 'Buy' : 'Sell');
const text = (value: number | null | undefined, none = ''): string => (value === null || value === undefined ? none : String(value));

export const orderRow = (order: VenueOrder) => ({
  symbol: SYMBOL,
  orderId: order.orderId,
  orderLinkId: order.orderLinkId,
  side: side(order.direction),
  orderType: order.type === 'limit' ? 'Limit' : 'Market',
  stopOrderType: order.type === 'stop-market' ? 'Stop' : '',
  orderStatus: order.status,
  rejectReason: order.rejectReason,
  cancelType: order.status.endsWith('lled') ? 'UNKNOWN' : 'CancelByPrepareFailed',
  createType: 'CreateByUser',
  qty: text(order.quantity),
  price: text(order.price, '0'),
  triggerPrice: text(order.trigger),
  avgPrice: text(order.mean),
  cumExecQty: text(order.filled),
  cumExecValue: text(order.filled * (order.mean ?? 0)),
  // Deprecated for linear contracts, in favor of the details by currency.
  cumExecFee: '0',
  cumFeeDetail: order.filled > 0 ? { USDT: text(order.fees) } : {},
  leavesQty: text(order.status === 'New' || order.status === 'Untriggered' ? order.quantity - order.filled : 0),
  reduceOnly: order.reduceOnly,
  closeOnTrigger: false,
  stopLoss: text(order.stop),
  takeProfit: text(order.target),
  slTriggerBy: 'MarkPrice',
  timeInForce: order.type === 'limit' ? 'GTC' : 'IOC',
  positionIdx: 0,
  createdTime: text(order.createdAt),
  updatedTime: text(order.updatedAt),
});

/** Bybit lists stop and take-profit orders among the other orders. */
export function attachedRows(venue: Venue, time: number) {
  const position = venue.position();
  if (!position) return [];
  const row = (stopOrderType: string, trigger: number) => ({
    ...orderRow({
      orderId: `${stopOrderType}-of-position`,
      orderLinkId: '',
      direction: position.side === 'long' ? 'sell' : 'buy',
      type: 'stop-market',
      quantity: position.quantity,
      price: undefined,
      trigger,
      reduceOnly: true,
      stop: undefined,
      target: undefined,
      status: 'Untriggered',
      rejectReason: 'EC_NoError',
      isHidden: false,
      clearedAt: null,
      filled: 0,
      mean: null,
      fees: 0,
      createdAt: time,
      updatedAt: time,
    }),
    stopOrderType,
    createType: `CreateBy${stopOrderType}`,
    closeOnTrigger: true,
  });
  return [
    ...(position.stop === null ? [] : [row('StopLoss', position.stop)]),
    ...(position.target === null ? [] : [row('TakeProfit', position.target)]),
  ];
}

export function executionRow({ id, seq, at, reason, direction, quantity, price, fee, realised, orderId, orderLinkId, closed }: Execution) {
  const ended = { order: '', funding: '', liquidation: '', adl: '', feed: '', stop: 'StopLoss', target: 'TakeProfit' }[reason];
  const execType = {
    ...{ order: 'Trade', stop: 'Trade', target: 'Trade', feed: 'Trade' },
    ...{ funding: 'Funding', liquidation: 'BustTrade', adl: 'AdlTrade' },
  }[reason];
  const creators = { order: 'CreateByUser', liquidation: 'CreateByLiq', adl: 'CreateByAdl_PassThrough' } as const;
  return {
    symbol: SYMBOL,
    execId: id,
    orderId,
    orderLinkId,
    side: side(direction),
    orderType: 'Market',
    stopOrderType: ended,
    createType: reason in creators ? creators[reason as keyof typeof creators] : `CreateBy${ended}`,
    execType,
    execQty: text(quantity),
    execPrice: text(price),
    execValue: text(quantity * price),
    // Received funding is a negative fee.
    execFee: text(reason === 'funding' ? 0 - realised : fee),
    feeRate: text(reason === 'funding' ? -realised / (quantity * price) : fee / (quantity * price)),
    feeCurrency: '',
    closedSize: text(closed),
    leavesQty: '0',
    markPrice: text(price),
    isMaker: false,
    execTime: text(at),
    seq,
  };
}

/** Bybit returns a row of size 0 when there is no position. */
export function positionRow(venue: Venue, mark: number, time: number) {
  const position = venue.position();
  const leverage = text(venue.leverage());
  const common = {
    positionIdx: 0,
    symbol: SYMBOL,
    tradeMode: 0,
    tpslMode: 'Full',
    leverage,
    positionStatus: 'Normal',
    updatedTime: text(time),
  };
  const first = text(venue.executions[0]?.at);
  if (!position)
    return {
      ...common,
      side: '',
      size: '0',
      avgPrice: '0',
      positionValue: '',
      markPrice: text(mark),
      liqPrice: '',
      stopLoss: '',
      takeProfit: '',
      unrealisedPnl: '',
      cumRealisedPnl: '0',
      createdTime: first,
      openTime: 0,
    };
  const value = position.quantity * position.entryPrice;
  return {
    ...common,
    side: position.side === 'long' ? 'Buy' : 'Sell',
    size: text(position.quantity),
    avgPrice: text(position.entryPrice),
    positionValue: text(value),
    markPrice: text(mark),
    liqPrice: text(position.liquidationPrice),
    stopLoss: text(position.stop, '0'),
    takeProfit: text(position.target, '0'),
    unrealisedPnl: text(venue.equity() - venue.balance()),
    positionIM: text(value / venue.leverage()),
    positionMM: text(value * PERPETUAL.maintenance),
    cumRealisedPnl: text(venue.balance()),
    // Bybit returns when the first position of this symbol opened, not the current one.
    createdTime: first,
    openTime: position.openedAt,
  };
}

/** A position as the stream has it, which names one price otherwise. */
export function streamedPositionRow(venue: Venue, mark: number, time: number) {
  const { avgPrice, ...row } = positionRow(venue, mark, time);
  return { category: 'linear', ...row, entryPrice: avgPrice };
}

export const walletRow = (venue: Venue) => {
  const equity = text(venue.equity());
  const isIsolated = venue.settings.marginMode === 'ISOLATED_MARGIN';
  const wallet = text(venue.balance());
  const unrealisedPnl = text(venue.equity() - venue.balance());
  return {
    accountType: 'UNIFIED',
    totalEquity: equity,
    totalWalletBalance: wallet,
    // Account-wide margin does not exist under isolated margin.
    totalMarginBalance: isIsolated ? '' : equity,
    totalAvailableBalance: isIsolated ? '' : equity,
    coin: [{ coin: 'USDT', equity, walletBalance: wallet, unrealisedPnl, usdValue: equity, cumRealisedPnl: '0' }],
  };
};

export const tickerRow = (price: number, mark: number, fundingAt: number) => ({
  symbol: SYMBOL,
  lastPrice: text(price),
  markPrice: text(mark),
  indexPrice: text(mark),
  bid1Price: text(price),
  ask1Price: text(price + PERPETUAL.priceStep),
  fundingRate: '0.0001',
  openInterest: '52310.417',
  openInterestValue: text(52_310.417 * mark),
  nextFundingTime: text(fundingAt),
});

export const INSTRUMENT = {
  symbol: SYMBOL,
  contractType: 'LinearPerpetual',
  status: 'Trading',
  baseCoin: 'BTC',
  quoteCoin: 'USDT',
  settleCoin: 'USDT',
  leverageFilter: { minLeverage: '1', maxLeverage: '100.00', leverageStep: '0.01' },
  priceFilter: { minPrice: '0.10', maxPrice: '1999999.80', tickSize: '0.10' },
  lotSizeFilter: { qtyStep: '0.001', minOrderQty: '0.001', maxOrderQty: '1190.000', maxMktOrderQty: '500.000', minNotionalValue: '5' },
  fundingInterval: 480,
};

/** The first tiers of BTCUSDT. */
export const RISK_TIERS = [
  {
    id: 1,
    riskLimitValue: '2000000',
    maintenanceMargin: '0.005',
    initialMargin: '0.01',
    isLowestRisk: 1,
    maxLeverage: '100.00',
    mmDeduction: '',
  },
  {
    id: 2,
    riskLimitValue: '2600000',
    maintenanceMargin: '0.0056',
    initialMargin: '0.0111',
    isLowestRisk: 0,
    maxLeverage: '90.00',
    mmDeduction: '1200',
  },
].map((tier) => ({ symbol: SYMBOL, ...tier }));

export const FEE_RATE = { symbol: SYMBOL, takerFeeRate: text(PERPETUAL.takerFee), makerFeeRate: text(PERPETUAL.makerFee) };
