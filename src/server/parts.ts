import type { Clock } from '../domain/clock.ts';
import type { AfterResponse } from './after-response.ts';
import type { BacktestRunner } from './backtests/backtest-runner.ts';
import type { Config } from './config.ts';
import type { Db, PoolCounts } from './db/open.ts';
import type { ListenTiming } from './fan-out/keep-listening.ts';
import type { Jobs } from './jobs/jobs.ts';
import type { Draining } from './lifecycle/draining.ts';
import type { PlanOf } from './modules/allowances/service.ts';
import type { Analyst } from './ports/analyst/analyst.ts';
import type { BlobStore } from './ports/blobs/blob-store.ts';
import type { Exchange } from './ports/exchange/exchange.ts';
import type { MailPort } from './ports/mail/mail.ts';
import type { MarketData } from './ports/market-data/market-data.ts';
import type { Payments } from './ports/payments/payments.ts';
import type { TracerLimits } from './tracing/tracing-settings.ts';

/** The server's dependencies; tests pass their own. */
export interface Parts {
  config: Config;
  db: Db;
  /** Counts of the connections to PostgreSQL; undefined for the embedded database. */
  pool?: PoolCounts | undefined;
  clock: Clock;
  mail: MailPort;
  analyst: Analyst;
  market: MarketData;
  payments: Payments;
  /** The exchange that bots trade on. */
  exchange: Exchange;
  /** Runs backtests outside the thread that answers requests. */
  backtests: BacktestRunner;
  /** Queue that the processes on one database share for bot work. */
  jobs: Jobs;
  /** Returns a user's plan. Default: the plan last verified with the store. */
  planOf?: PlanOf;
  /** Runs work after responses; tests wait for it. */
  afterResponse?: AfterResponse;
  /** Prepares the end of the process. Default: it closes at once. */
  draining?: Draining;
  /** Stores users' pictures. Default: files in DATA_DIR/blobs. */
  blobStore?: BlobStore;
  /** Times of the connection that hears other processes; tests shorten them. */
  listening?: Partial<ListenTiming>;
  /** Limits of the traces' queue; tests choose smaller ones. */
  tracing?: TracerLimits;
  /** How often a process looks for notifications to send, ms; tests shorten it. */
  deliveryPoll?: number;
  /** How often a process looks for questions to answer that others left, ms; tests change it. */
  answerPoll?: number;
  /** Lifetime of the claim of a question without renewal, ms; tests change it. */
  claimLifetime?: number;
  /** Window of the upload speed check, ms; tests shorten it. */
  uploads?: { window: number };
  /** Folder of the built client. Without it, the server has only the API. */
  clientDir?: string;
  /** Log destination. Default: stderr. */
  logTo?: { write(line: string): void };
}
