import type { QueueSource } from '../db/open.ts';

/** Rows of one insert; more make the statement too long. */
const MOST_AT_ONCE = 500;
/** A job that its worker did not finish within this is given to another, seconds. */
const EXPIRES = 60;
/** Finished jobs are kept this long, seconds: while one is there, its id inserts nothing. */
const REMEMBERED = 3600;

export interface Job<T> {
  /** The same id twice is one job. */
  id: string;
  data: T;
}

export interface Queue<T extends object> {
  /** Adds those whose id is new. */
  insert(jobs: readonly Job<T>[]): Promise<void>;
  /** Hears of the jobs that this process gets. One that rejects is tried again, a few times. */
  work(options: WorkOptions, run: (data: T) => Promise<void>): Promise<void>;
}

export interface WorkOptions {
  /** Jobs at most. */
  atOnce: number;
  /** Into how many rounds they are parted: the next jobs come when all of a round are done, so one that waits holds up its round. */
  rounds: number;
}

export interface Jobs {
  /** Opens a queue. The first one starts the machinery, which a server without bots is spared. */
  queue<T extends object>(name: string): Promise<Queue<T>>;
  /** Lets what runs come to its end. */
  stop(): Promise<void>;
}

/** Jobs in the database (pg-boss), shared by all processes on it. `report` hears of what goes wrong beneath. */
export function createJobs(source: QueueSource, report: (error: unknown) => void): Jobs {
  let started: ReturnType<typeof start> | undefined;

  async function start() {
    const { PgBoss, fromPglite } = await import('pg-boss');
    const common = { schema: 'boss', useListenNotify: true, schedule: false, supervise: true } as const;
    const boss =
      'pglite' in source
        ? new PgBoss({ ...common, db: fromPglite(source.pglite), backend: 'pglite' })
        : new PgBoss({ ...common, connectionString: source.databaseUrl, max: 5 });
    boss.on('error', report);
    await boss.start();
    return boss;
  }

  return {
    async queue<T extends object>(name: string): Promise<Queue<T>> {
      started ??= start();
      const boss = await started;
      await boss.createQueue(name, {
        expireInSeconds: EXPIRES,
        retryLimit: 3,
        retryDelay: 1,
        deleteAfterSeconds: REMEMBERED,
        notify: true,
      });
      return {
        async insert(jobs) {
          for (let first = 0; first < jobs.length; first += MOST_AT_ONCE) {
            await boss.insert(name, jobs.slice(first, first + MOST_AT_ONCE));
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
              const outcomes = await Promise.allSettled(jobs.map(({ data }) => run(data)));
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

    async stop() {
      const boss = await started?.catch(() => undefined);
      await boss?.stop({ graceful: true, close: true });
    },
  };
}
