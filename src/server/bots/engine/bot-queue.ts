import { EXCHANGES } from '#contract/bots/exchange-names.ts';
import { runOnce } from '#domain/run-once.ts';
import { BOT_QUEUE, type Job, type Jobs, type Queue } from '#server/jobs/jobs.ts';
import type { Exchange } from '#server/ports/exchange/exchange.ts';
import type { RunBotCycle } from './run-cycle.ts';
import type { BotJob } from './schedule.ts';

/** Jobs that run at once. More jobs of a live exchange would only wait for the address's budget, until their leases expire. */
const MAX_JOBS = { simulated: 200, live: 64 };
/** Groups of jobs: a slow answer of a live exchange holds up only its own group. Each group costs processor time. */
const JOB_GROUPS = { simulated: 1, live: 4 };

interface Parts {
  jobs: Jobs;
  exchange: Pick<Exchange, 'kind'>;
  runBotCycle: RunBotCycle;
}

/** Runs a job; rejects if the queue must retry it. */
async function runJob(runBotCycle: RunBotCycle, { botId, candle, isSweep }: BotJob): Promise<void> {
  const isFree = await runBotCycle(botId, candle, !isSweep).catch((error: unknown) => {
    if (!isSweep) throw error;
    return true;
  });
  if (!isFree) throw new Error('another worker holds the bot');
}

/** Creates the engine's side of the job queue. */
export function createBotQueue({ jobs, exchange, runBotCycle }: Parts) {
  let isWanted = false;
  let isClosing = false;

  const takeJobs = runOnce(async (): Promise<Queue<BotJob>> => {
    if (isClosing) throw new Error('the bots of this process stop');
    const kind = EXCHANGES[exchange.kind].isSimulated ? 'simulated' : 'live';
    const queue = await jobs.queue<BotJob>(BOT_QUEUE);
    await queue.work({ atOnce: MAX_JOBS[kind], rounds: JOB_GROUPS[kind] }, (job) => runJob(runBotCycle, job));
    return queue;
  });

  async function open(): Promise<Queue<BotJob>> {
    isWanted = true;
    return takeJobs();
  }

  return {
    /** Opens the queue once and takes its jobs. After a failure, the next call tries again, unless the engine stops. */
    open,

    /** Adds the jobs whose id is new. */
    insert: async (batch: readonly Job<BotJob>[]): Promise<void> => (await open()).insert(batch),

    /** Resolves when this process takes jobs, or does not trade. Rejects otherwise. */
    async check(): Promise<void> {
      if (!isWanted) return;
      const opened = takeJobs.peek();
      if (!opened) throw new Error('the queue of the bots is not open');
      await opened;
      await jobs.check();
    },

    /** Lets no further call open the queue. */
    keepClosed(): void {
      isClosing = true;
    },
  };
}
