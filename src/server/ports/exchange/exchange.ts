import type { ExchangeName } from '#contract/bots/exchange-names.ts';
import type { Perpetual } from '#domain/analyst/figures.ts';
import type { Candle } from '#domain/market/candles.ts';
import type { MarketTerms } from '#server/strategy/sizing.ts';

export type { MarketTerms };

export interface Keys {
  key: string;
  secret: string;
  /** Set by the key's owner; undefined where the exchange has none. */
  passphrase?: string;
}

/** In this file: prices in USD, quantities in BTC, times in ms UTC. */
export type Direction = 'buy' | 'sell';

export interface NewOrder {
  /** Our idempotency key, at most 36 characters: the same id is the same order. */
  clientId: string;
  direction: Direction;
  type: 'market' | 'limit' | 'stop-market';
  quantity: number;
  /** Price of a limit order. */
  price?: number;
  /** Mark price that triggers a stop-market order. */
  trigger?: number;
  /** The order may only reduce a position. */
  reduceOnly?: boolean;
  /** Stop (by mark price) and target of the position that the order opens. Both rest at the exchange from the same moment. */
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
  /** Mean price of its fills; null before the first. */
  price: number | null;
  /** Paid so far, USD. */
  fees: number;
  /** The exchange's code for the rejection. */
  reject?: number;
  updatedAt: number;
}

export interface ExchangePosition {
  side: 'long' | 'short';
  quantity: number;
  entryPrice: number;
  markPrice: number;
  /** Stop and target at the exchange; null if not set. */
  stop: number | null;
  target: number | null;
  liquidationPrice: number;
  leverage: number;
  unrealised: number;
  openedAt: number;
}

/** One execution of an order, or one funding payment. */
export interface ExchangeFill {
  id: string;
  at: number;
  /** Null for fills without an order of ours: attached stop and target, liquidation, auto-deleveraging (adl), funding, a close by hand, a change of the paper market's feed. */
  clientId: string | null;
  reason: 'order' | 'stop' | 'target' | 'liquidation' | 'adl' | 'funding' | 'feed';
  direction: Direction;
  quantity: number;
  price: number;
  fee: number;
  /** Realized profit before fees, USD; for funding the payment, negative if paid. */
  realised: number;
}

export interface KeyFacts {
  /** May place orders and hold positions. */
  mayTrade: boolean;
  mayWithdraw: boolean;
  /** The exchange's own id of the account behind the key. */
  accountId: string;
  /** Registered through our referral code. */
  referred: boolean;
  /** When the key expires, ms; null: never. */
  expiresAt: number | null;
  /** The user's country does not allow automated trading. */
  restricted: boolean;
  /** The account's fee of a market order, as a share of its value; null if the exchange tells none, or an impossible one. */
  takerFee: number | null;
}

/**
 * Why a call failed. `unclear` is a write with an unknown outcome (a timeout, a lost answer): look the order up before you send
 * anything again.
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
    /** The exchange's code. */
    readonly code?: number,
  ) {
    super(message);
  }
}

/** The exchange account of one API key. Every method rejects with ExchangeError. */
export interface ExchangeAccount {
  check(): Promise<KeyFacts>;
  /** Sets isolated margin, one-way mode and this leverage. Succeeds if they are already set. */
  prepare(leverage: number): Promise<void>;
  /** Returns what an entry depends on. Position and settings may be those that `position` has just returned. */
  standing(): Promise<AccountStanding>;
  /** Places an order. It may still be open when the exchange fills it at once: its fills, or `find`, tell how it ended. */
  submit(order: NewOrder): Promise<ExchangeOrder>;
  /** Sets stop and target of the open position. */
  protect(stop: number, target: number | null): Promise<void>;
  /** Finds an order by our id; undefined if the exchange does not know it. */
  find(clientId: string): Promise<ExchangeOrder | undefined>;
  /** Cancels an order. Succeeds if it is already gone. */
  cancel(clientId: string): Promise<void>;
  /** Returns fills at or after `since` (ms), oldest first. Calls may return the same fill again. */
  fills(since: number): Promise<ExchangeFill[]>;
  /** Returns the open position; null without one. */
  position(): Promise<ExchangePosition | null>;
  /** Returns equity, position and open orders at one moment. Costs several requests; the engine's looks need the position alone. */
  snapshot(): Promise<AccountSnapshot>;
}

export interface AccountSnapshot {
  /** The account's money with the open position at mark price, USD. */
  equity: number;
  position: ExchangePosition | null;
  openOrders: readonly ExchangeOrder[];
}

export interface AccountStanding extends Pick<AccountSnapshot, 'equity' | 'position'> {
  leverage: number;
  isIsolated: boolean;
  /** One-way mode: at most one position in the market. */
  isOneWay: boolean;
}

/** The user of a key, and the bot that trades with it. */
export interface Owner {
  userId: string;
  botId: string;
  /** The bot's position size, which funds a paper account; USD. */
  capital: number;
}

export interface Exchange {
  readonly kind: ExchangeName;
  /** No real money is at stake: the paper exchange, or a test network. */
  readonly paper: boolean;
  /** Returns the account of a key. A paper account belongs to one bot, whatever the key is. */
  account(keys: Keys, owner: Owner): ExchangeAccount;
  /**
   * Watches an account. `onChange` says that a look at it is due; it may come twice, late, or for nothing. Undefined where the exchange
   * has no streams, or no more of them.
   */
  watch?(keys: Keys, onChange: () => void): AccountStream | undefined;
  readonly feed: CandleFeed;
  /** Returns figures of the perpetual future that bots trade, at most some seconds old. Undefined where the exchange gives none. */
  perpetual?: (() => Promise<Perpetual>) | undefined;
  /** Returns the market's terms, which an exchange may change. */
  terms(): Promise<MarketTerms>;
  close(): Promise<void>;
}

export interface AccountStream {
  /** Whether a change is reported as it happens. Otherwise looks must come more often. */
  readonly isLive: boolean;
  close(): void;
}

/** The BTC market of the strategy. Candles have one length, `interval` ms, and the feed's own time. */
export interface CandleFeed {
  readonly source: string;
  readonly interval: number;
  /** Speed of a replay, 1 being real time; null for a real market. */
  readonly speed: number | null;
  /** Returns the original time of a replayed history, and of the current price; ISO 8601. Real markets have none. */
  replay?(): { from: string; to: string; at: string };
  /** Returns since when the live prices of paper money have stopped, ms; null while they arrive. Other feeds have none. */
  live?(): { staleSince: number | null };
  /** Counts the paper market's changes from one feed to another, from 1. A candle's time belongs to one of them. */
  readonly epoch?: number;
  /** Returns the feed's current time, ms. At speed 1 it is the server's clock. */
  now(): number;
  /** Returns the last `count` closed candles, oldest first. */
  closed(count: number): Promise<readonly Candle[]>;
  /** Returns the last `count` candles of another length (ms), oldest first. The last one is still open. */
  candles(length: number, count: number): Promise<readonly Candle[]>;
  /** Returns the open candle so far. */
  forming(): Promise<Candle>;
  /**
   * Calls `listener` with each candle that closes, in order and without gaps. The next candle waits for all listeners.
   * @returns a function that removes the listener.
   */
  onClose(listener: (candle: Candle) => void | Promise<void>): () => void;
}
