import type { ExchangeName } from '#contract/bots/exchanges.ts';
import type { Candle } from '#domain/market/candles.ts';

export interface Keys {
  key: string;
  secret: string;
}

/** Prices in USD, quantities in BTC, times in ms UTC. A position's direction is that of the order that opened it. */
export type Direction = 'buy' | 'sell';

export interface NewOrder {
  /** Ours, made from what the order is for, at most 36 characters. The same one twice is the same order. */
  clientId: string;
  direction: Direction;
  type: 'market' | 'limit' | 'stop-market';
  quantity: number;
  /** Of a limit order. */
  price?: number;
  /** Of a stop-market order, by mark price. */
  trigger?: number;
  /** It may only make a position smaller. */
  reduceOnly?: boolean;
  /** Attached to the position that it opens, and resting on the exchange from the same moment: stop by mark price. */
  stop?: number;
  target?: number;
}

export interface ExchangeOrder {
  clientId: string;
  exchangeId: string;
  direction: Direction;
  type: NewOrder['type'];
  quantity: number;
  state: 'open' | 'filled' | 'partly-filled-cancelled' | 'cancelled' | 'rejected';
  filled: number;
  /** Mean over its fills; null before the first. */
  price: number | null;
  /** USD, paid so far. */
  fees: number;
  /** Why it was rejected, as a code of the exchange. */
  reject?: number;
  updatedAt: number;
}

export interface ExchangePosition {
  side: 'long' | 'short';
  quantity: number;
  entryPrice: number;
  markPrice: number;
  /** What rests on the exchange for it; null where nothing does. */
  stop: number | null;
  target: number | null;
  liquidationPrice: number;
  leverage: number;
  unrealised: number;
  openedAt: number;
}

/** One piece of an execution, or what was paid or got for holding. */
export interface ExchangeFill {
  id: string;
  at: number;
  /** Null for those that the exchange made: attached stop and target, liquidation, funding, a close by hand. */
  clientId: string | null;
  reason: 'order' | 'stop' | 'target' | 'liquidation' | 'funding';
  direction: Direction;
  quantity: number;
  price: number;
  fee: number;
  /** USD that this realised, fees not taken off; of funding, what it cost (negative) or brought. */
  realised: number;
}

export interface KeyFacts {
  /** May place orders and hold positions; false: only read. */
  mayTrade: boolean;
  mayWithdraw: boolean;
  /** The exchange's own id of the account behind the key. */
  accountId: string;
  /** Registered through our referral code. */
  referred: boolean;
  /** When the key ends, ms; null: never. */
  expiresAt: number | null;
  /** Automated trading is not offered to this person's country. */
  restricted: boolean;
}

/**
 * What an exchange said no to. `unclear` is a write of which nobody knows whether it was done (a time-out, a lost
 * answer): it has to be looked up before anything is sent again.
 */
export type ExchangeTrouble =
  | 'invalid-key'
  | 'permission'
  | 'address'
  | 'clock'
  | 'rate-limit'
  | 'funds'
  | 'duplicate'
  | 'rejected'
  | 'unavailable'
  | 'unclear';

export class ExchangeError extends Error {
  constructor(
    readonly trouble: ExchangeTrouble,
    message: string,
    /** The exchange's own code. */
    readonly code?: number,
  ) {
    super(message);
  }
}

/** One account at the exchange, as one key sees it. Every method rejects with ExchangeError. */
export interface ExchangeAccount {
  check(): Promise<KeyFacts>;
  /** Isolated margin, one-way mode, this leverage. Set already is success. */
  prepare(leverage: number): Promise<void>;
  submit(order: NewOrder): Promise<ExchangeOrder>;
  /** Sets what rests for the open position. */
  protect(stop: number, target: number | null): Promise<void>;
  /** By our own id; undefined where the exchange knows of none. */
  find(clientId: string): Promise<ExchangeOrder | undefined>;
  /** Success also where it is gone already. */
  cancel(clientId: string): Promise<void>;
  /** Oldest first, those at or after `since` (ms); some may come again. */
  fills(since: number): Promise<ExchangeFill[]>;
  /** Equity, position and open orders of one moment, in one question where the exchange can. */
  snapshot(): Promise<AccountSnapshot>;
}

export interface AccountSnapshot {
  /** USD: what is there, the open position counted at mark price. */
  equity: number;
  position: ExchangePosition | null;
  openOrders: readonly ExchangeOrder[];
}

/** Whose key it is here, and the bot that trades with it. */
export interface Owner {
  userId: string;
  botId: string;
  /** USD, the bot's position size. Paper accounts are funded with it. */
  capital: number;
}

export interface Exchange {
  readonly kind: ExchangeName;
  /** No real money: the paper exchange, or a test network. */
  readonly paper: boolean;
  /** A paper account is one bot's, whatever the key: a dedicated subaccount, so that two bots never net. */
  account(keys: Keys, owner: Owner): ExchangeAccount;
  readonly feed: CandleFeed;
  /** Smallest step of quantity (BTC) and price (USD), and the smallest order (BTC). */
  readonly steps: { quantity: number; price: number; least: number };
  readonly fees: { taker: number; maker: number };
  close(): Promise<void>;
}

/** The BTC market that the strategy looks at. Candles are of one length, `interval` ms, and in the feed's own time. */
export interface CandleFeed {
  readonly source: string;
  readonly interval: number;
  /** How much faster than life it runs; null for a real market. */
  readonly speed: number | null;
  /** The feed's time now, ms. At speed 1 it is the clock's. */
  now(): number;
  /** The last `count` closed candles, oldest first. */
  closed(count: number): Promise<readonly Candle[]>;
  /** The last `count` candles of another length, ms; oldest first, and the last one not over yet. */
  candles(length: number, count: number): Promise<readonly Candle[]>;
  /** The candle that is not over yet, as far as it has come. */
  forming(): Promise<Candle>;
  /**
   * Hears of each candle as it closes, in order; none is left out while the process lives, and the next one waits until
   * every listener is done with this one. Returns what ends it.
   */
  onClose(listener: (candle: Candle) => void | Promise<void>): () => void;
}
