import type { Clock } from '#domain/clock.ts';
import type { Db } from '#server/db/open.ts';
import type { ExchangeRegion } from '#server/settings/settings.ts';
import type { Exchange, Keys } from './exchange.ts';
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
  /** How much faster than real time the paper market runs. */
  paperSpeed: number;
  /** Receives errors that no caller waits for. */
  report: (error: unknown) => void;
}

export interface OpenedExchange {
  exchange: Exchange;
  /** The feed of a simulated exchange, which the demo market follows. */
  replay?: SimulatedFeed;
}
