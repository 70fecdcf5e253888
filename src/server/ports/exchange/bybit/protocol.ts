import * as z from 'zod/mini';
import type { Urgency } from '../address-budget.ts';
import type { Connection as LiveConnection, MarketConnections as LiveMarket } from '../live/connection.ts';
import type { Protocol } from '../live/protocol.ts';
import { troubleOf } from './trouble.ts';

/** The calls in use, by ccxt's names. */
const READS = {
  publicGetV5MarketTime: 'v5/market/time',
  publicGetV5MarketKline: 'v5/market/kline',
  publicGetV5MarketMarkPriceKline: 'v5/market/mark-price-kline',
  publicGetV5MarketTickers: 'v5/market/tickers',
  publicGetV5MarketInstrumentsInfo: 'v5/market/instruments-info',
  publicGetV5MarketRiskLimit: 'v5/market/risk-limit',
  privateGetV5UserQueryApi: 'v5/user/query-api',
  privateGetV5UserAffCustomerInfo: 'v5/user/aff-customer-info',
  privateGetV5AccountFeeRate: 'v5/account/fee-rate',
  privateGetV5AccountInfo: 'v5/account/info',
  privateGetV5AccountWalletBalance: 'v5/account/wallet-balance',
  privateGetV5PositionList: 'v5/position/list',
  privateGetV5OrderRealtime: 'v5/order/realtime',
  privateGetV5OrderHistory: 'v5/order/history',
  privateGetV5ExecutionList: 'v5/execution/list',
} as const;
const WRITES = {
  privatePostV5AccountSetMarginMode: 'v5/account/set-margin-mode',
  privatePostV5PositionSwitchMode: 'v5/position/switch-mode',
  privatePostV5PositionSetLeverage: 'v5/position/set-leverage',
  privatePostV5PositionTradingStop: 'v5/position/trading-stop',
  privatePostV5OrderCreate: 'v5/order/create',
  privatePostV5OrderCancel: 'v5/order/cancel',
} as const;

type Read = keyof typeof READS;
type Write = keyof typeof WRITES;
export type Connection = LiveConnection<Read, Write>;
export type MarketConnections = LiveMarket<Read, Write>;

const URGENCY: Partial<Record<Read | Write, Urgency>> = {
  privatePostV5PositionTradingStop: 'protect',
  privatePostV5OrderCancel: 'exit',
  // All bots wait for the candle, including those that close a position.
  publicGetV5MarketKline: 'exit',
  publicGetV5MarketMarkPriceKline: 'exit',
  publicGetV5MarketTickers: 'exit',
  publicGetV5MarketInstrumentsInfo: 'exit',
  publicGetV5MarketRiskLimit: 'exit',
  privatePostV5AccountSetMarginMode: 'entry',
  privatePostV5PositionSwitchMode: 'entry',
  privatePostV5PositionSetLeverage: 'entry',
};

const coded = z.object({ retCode: z.number() });
const envelope = z.object({ retCode: z.literal(0), result: z.record(z.string(), z.unknown()), time: z.number() });

function limitEndOf(headers: object): number | undefined {
  const [, value] = Object.entries(headers).find(([name]) => name.toLowerCase() === 'x-bapi-limit-reset-timestamp') ?? [];
  const time = Number(value);
  return Number.isFinite(time) && time > 0 ? time : undefined;
}

/** Version 5 of Bybit's API. */
export const PROTOCOL: Protocol<Read, Write> = {
  client: 'bybit',
  addresses: (url) => ({ public: url, private: url }),
  reads: READS,
  writes: WRITES,
  orderCall: 'privatePostV5OrderCreate',
  timeCall: 'publicGetV5MarketTime',
  // Unknown key, and a region that the site does not serve.
  foreignKey: { codes: [10003, 10009], probe: 'privateGetV5UserQueryApi' },
  codeOf: (answer) => z.safeParse(coded, answer).data?.retCode,
  limitEndOf,
  read: (answer) => z.safeParse(envelope, answer).data,
  troubleOf,
  urgency: URGENCY,
};
