import * as z from 'zod/mini';
import type { Urgency } from '../address-budget.ts';
import type { Connection as LiveConnection, MarketConnections as LiveMarket } from '../live/connection.ts';
import type { Protocol } from '../live/protocol.ts';
import { troubleOf } from './trouble.ts';

/** The calls in use, by ccxt's names. */
const READS = {
  publicGetPublicTime: 'public/time',
  publicGetPublicInstruments: 'public/instruments',
  publicGetPublicPositionTiers: 'public/position-tiers',
  publicGetPublicFundingRate: 'public/funding-rate',
  publicGetPublicOpenInterest: 'public/open-interest',
  publicGetMarketCandles: 'market/candles',
  publicGetMarketHistoryCandles: 'market/history-candles',
  privateGetAccountConfig: 'account/config',
  privateGetAccountTradeFee: 'account/trade-fee',
  privateGetAccountBalance: 'account/balance',
  privateGetAccountPositions: 'account/positions',
  privateGetAccountLeverageInfo: 'account/leverage-info',
  privateGetAccountBills: 'account/bills',
  privateGetAccountBillsArchive: 'account/bills-archive',
  privateGetAffiliateInviteeDetail: 'affiliate/invitee/detail',
  privateGetTradeOrder: 'trade/order',
  privateGetTradeOrdersPending: 'trade/orders-pending',
  privateGetTradeOrderAlgo: 'trade/order-algo',
  privateGetTradeOrdersAlgoPending: 'trade/orders-algo-pending',
  privateGetTradeFills: 'trade/fills',
  privateGetTradeFillsHistory: 'trade/fills-history',
} as const;
const WRITES = {
  privatePostAccountSetPositionMode: 'account/set-position-mode',
  privatePostAccountSetLeverage: 'account/set-leverage',
  privatePostTradeOrder: 'trade/order',
  privatePostTradeCancelOrder: 'trade/cancel-order',
  privatePostTradeOrderAlgo: 'trade/order-algo',
  privatePostTradeAmendAlgos: 'trade/amend-algos',
  privatePostTradeCancelAlgos: 'trade/cancel-algos',
} as const;

type Read = keyof typeof READS;
type Write = keyof typeof WRITES;
export type Connection = LiveConnection<Read, Write>;
export type MarketConnections = LiveMarket<Read, Write>;

const URGENCY: Partial<Record<Read | Write, Urgency>> = {
  privatePostTradeOrderAlgo: 'protect',
  privatePostTradeAmendAlgos: 'protect',
  privatePostTradeCancelOrder: 'exit',
  // All bots wait for the candle, including those that close a position.
  publicGetMarketCandles: 'exit',
  publicGetMarketHistoryCandles: 'exit',
  publicGetPublicInstruments: 'exit',
  publicGetPublicPositionTiers: 'exit',
  privatePostAccountSetPositionMode: 'entry',
  privatePostAccountSetLeverage: 'entry',
};

const text = z.string();
const coded = z.object({ code: text, data: z._default(z.array(z.unknown()), []) });
const outcome = z.object({ sCode: text });
const envelope = z.object({ code: z.literal('0'), data: z.array(z.unknown()) });
const stamped = z.object({ ts: z.pipe(text, z.transform(Number)) });

/** Returns the code of the first operation, because the code around it only says that one of them failed. */
function codeOf(answer: unknown): number | undefined {
  const { data: read } = z.safeParse(coded, answer);
  if (!read) return undefined;
  const inner = z.safeParse(outcome, read.data[0]).data?.sCode;
  return Number(inner !== undefined && inner !== '0' ? inner : read.code);
}

/** Version 5 of OKX's API. */
export const PROTOCOL: Protocol<Read, Write> = {
  client: 'okx',
  addresses: (url) => ({ rest: url }),
  reads: READS,
  writes: WRITES,
  orderCall: 'privatePostTradeOrder',
  timeCall: 'publicGetPublicTime',
  foreignKey: { codes: [50119], probe: 'privateGetAccountConfig' },
  codeOf,
  limitEndOf: () => undefined,
  read(answer, call, now) {
    const { data: read } = z.safeParse(envelope, answer);
    const time = call === 'publicGetPublicTime' ? z.safeParse(stamped, read?.data[0]).data?.ts : now;
    return read && time !== undefined ? { result: read.data, time } : undefined;
  },
  troubleOf,
  urgency: URGENCY,
};
