import { runOnce } from '#domain/run-once.ts';
import type { QueueSource } from '../db/open.ts';
import { inSpan } from '../tracing/spans.ts';

/** Name of the queue of the bots' work. */
export const BOT_QUEUE = 'bots';

/** Rows per insert; more would make the statement too long. */
const MAX_AT_ONCE = 500;
/** Seconds after which an unfinished job goes to another worker. */
const EXPIRES = 60;
/** Retention of finished jobs, seconds. While a job exists, adding its id again does nothing. */
const REMEMBERED = 3600;

export interface Job<T> {
  /** Jobs with the same id are one job. */
  id: string;
  data: T;
}

export interface Queue<T extends object> {
  /** Adds the jobs whose id is new. */
  insert(jobs: readonly Job<T>[]): Promise<void>;
  /** Runs the jobs that this process receives. A job that rejects is retried a few times. */
  work(options: WorkOptions, run: (data: T) => Promise<void>): Promise<void>;
}

export interface WorkOptions {
  /** Maximum number of concurrent jobs. */
  atOnce: number;
  /** Number of batches. A batch gets its next jobs when all of its jobs are done, so a slow job delays only its batch. */
  rounds: number;
}

export interface Jobs {
  /** Opens a queue. The first call starts pg-boss, so that a server without bots does not load it. After a failure, call it again. */
  queue<T extends object>(name: string): Promise<Queue<T>>;
  /** Resolves when the queue answers, or when this process has not started it. Rejects otherwise. */
  check(): Promise<void>;
  /** Waits for running jobs, up to `limit` ms, and stops. */
  stop(limit: number): Promise<void>;
}

/** pg-boss reports what its workers fail with as a plain object. */
const errorOf = (failure: Error): Error => (failure instanceof Error ? failure : Object.assign(new Error(), failure));

/** Creates a job queue in the database (pg-boss), shared by all processes. `report` receives pg-boss errors. */
export function createJobs(source: QueueSource, report: (error: unknown) => void): Jobs {
  const start = runOnce(async () => {
    const { PgBoss, fromPglite } = await import('pg-boss');
    const common = { schema: 'boss', useListenNotify: true, schedule: false, supervise: true } as const;
    const boss =
      'pglite' in source
        ? new PgBoss({ ...common, db: fromPglite(source.pglite), backend: 'pglite' })
        : new PgBoss({ ...common, ...source.connection, max: 5 });
    boss.on('error', (failure) => report(errorOf(failure)));
    try {
      await boss.start();
    } catch (error) {
      // Not awaited: it may wait for a connection that no longer answers.
      boss.stop({ graceful: false }).catch(report);
      throw error;
    }
    return boss;
  });

  return {
    async queue<T extends object>(name: string): Promise<Queue<T>> {
      const boss = await start();
      await boss.createQueue(name, {
        expireInSeconds: EXPIRES,
        retryLimit: 3,
        retryDelay: 1,
        deleteAfterSeconds: REMEMBERED,
        notify: true,
      });
      return {
        async insert(jobs) {
          for (let first = 0; first < jobs.length; first += MAX_AT_ONCE) {
            await boss.insert(name, jobs.slice(first, first + MAX_AT_ONCE));
          }
        },
        async work({ atOnce, rounds }, run) {
          await boss.work<T>(
            name,
            {
              batchSize: Math.ceil(atOnce / rounds),
              localConcurrency: rounds,
              notifyPollingIntervalSeconds: 1,
              pollingIntervalSeconds: 1,
              burstWhenBatchFull: true,
              perJobResults: true,
            },
            async (jobs) => {
              const outcomes = await Promise.allSettled(jobs.map(({ data }) => inSpan(`job ${name}`, {}, () => run(data))));
              return outcomes.map((outcome, index) => ({
                id: jobs[index]?.id ?? '',
                status: outcome.status === 'fulfilled' ? ('completed' as const) : ('failed' as const),
                ...(outcome.status === 'rejected' && { error: String(outcome.reason) }),
              }));
            },
          );
        },
      };
    },

    async check() {
      const boss = await start.peek();
      await boss?.getQueues();
    },

    async stop(limit) {
      const boss = await start.peek()?.catch(() => undefined);
      await boss?.stop({ graceful: true, close: true, timeout: limit }).catch(report);
    },
  };
}
