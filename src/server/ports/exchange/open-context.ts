import type { Clock } from '#domain/clock.ts';
import type { Db, Tx } from '#server/db/open.ts';
import type { ExchangeRegion } from '#server/settings/settings.ts';
import type { Exchange, Keys } from './exchange.ts';
import type { FollowedPrice } from './live/follow-price.ts';
import type { PriceTiming } from './live/repeat-check.ts';
import type { PublicMarket } from './public-market.ts';
import type { SimulatedFeed } from './simulated-feed.ts';

/** What an exchange is opened with. Each takes what it needs. */
export interface ExchangeContext {
  db: Db;
  clock: Clock;
  testnet: boolean;
  /** Another address of the exchange's API; undefined for its own. */
  baseUrl: string | undefined;
  /** Site of the exchange where most keys are from. */
  region: ExchangeRegion;
  referral: { code: string | undefined; affiliate: Keys | undefined };
  /** Length of the strategy's candles, ms. */
  interval: number;
  /** How much faster than real time the replay of the paper market runs. */
  paperSpeed: number;
  /** What drives the paper market; undefined for live prices where the exchange can be reached. */
  paperFeed: 'live' | 'replay' | undefined;
  /** Whether this process may change what drives the paper market. */
  mayChangeFeed: boolean;
  /** Whether no other process can use the database. */
  isAlone: boolean;
  /** The market that live prices come from. */
  publicMarket: { isReachable(): Promise<boolean>; open(): PublicMarket };
  /** Moves what the bots of the paper market remember to a feed whose time is `by` ms later. */
  moveBots: (tx: Tx, move: { by: number; now: number }) => Promise<void>;
  timing: PriceTiming;
  /** Receives errors that no caller waits for. */
  report: (error: unknown) => void;
}

export interface OpenedExchange {
  exchange: Exchange;
  /** The price that bots trade at, which the market follows. */
  btc?: SimulatedFeed | FollowedPrice;
}
