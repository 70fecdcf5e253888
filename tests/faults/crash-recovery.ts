import { setTimeout as pause } from 'node:timers/promises';
import { createRandom } from '#domain/random.ts';
import { type RunningApp, startApp } from '../support/processes/app.ts';
import { buildServer } from '../support/processes/operator.ts';
import { signUp } from './api.ts';
import { createCorrespondent } from './correspondent.ts';
import { type Customer, createCustomer } from './customer.ts';
import { miscounted } from './ledger.ts';
import { registerAccounts, stillRegistered } from './registrar.ts';
import { createTally } from './tally.ts';

const CUSTOMERS = 3;
/** The IP address of the user who writes to support, as numbered by `api.call`. */
const WRITER = 500;
/** Number of acknowledged writes before a kill. A count, not a time, so that a busy machine tests as much. */
const LONGEST_LIFE = 40;
/** Extra delay, ms, so that the kill hits writes at every stage. */
const LAST_MOMENT = 50;
const LONGEST_START = 1_500;
const ANSWERED_WITHIN = 60_000;

export interface CrashReport {
  rounds: number;
  /** Acknowledged writes: accounts, archives, questions and edits, messages to support. */
  acknowledged: number;
  /** Acknowledged writes that are lost, changed, duplicated or unanswered afterwards. */
  lost: number;
  /** Charges that are missing, duplicated, still reserved, without a question, or above the allowance. */
  miscounted: number;
}

/**
 * Kills the built server (kill -9) `rounds` times at moments drawn from `seed`, while people register, ask and write, and
 * restarts it on the same data. Then checks that every acknowledged write exists, and that each question is answered once
 * and charged once.
 * Some kills hit the start itself.
 */
export async function run({ rounds, seed }: { rounds: number; seed: number }): Promise<CrashReport> {
  await buildServer();
  const random = createRandom(seed);
  // A simulated proxy gives each user an IP address, so that limits per address do not interfere.
  const app = await startApp({ TRUST_PROXY: 'on', LOG_LEVEL: 'error' });
  try {
    const tally = createTally();
    const customers: Customer[] = [];
    const registered: string[] = [];
    const writer = createCorrespondent(app, await signUp(app, WRITER, 'writer@example.com'), random, tally);

    for (let round = 1; round <= rounds; round++) {
      if (!app.isRunning) await startKilledAtTimes(app, random);
      while (customers.filter(({ spent }) => !spent).length < CUSTOMERS) {
        customers.push(await createCustomer(app, customers.length, { random, tally }));
      }
      const life = new AbortController();
      const busy = [
        registerAccounts(app, registered, tally, life.signal),
        writer.live(life.signal),
        ...customers.filter(({ spent }) => !spent).map((customer) => customer.live(life.signal)),
      ];
      await Promise.race([tally.reached(tally.count + random() * LONGEST_LIFE), Promise.all(busy)]);
      await pause(random() * LAST_MOMENT);
      await app.stop('SIGKILL');
      life.abort();
      await Promise.all(busy);
    }

    await app.start();
    const [accounts, ...losses] = await Promise.all([
      stillRegistered(app, registered),
      ...customers.map((customer) => customer.losses(ANSWERED_WITHIN)),
    ]);
    await app.stop();
    return {
      rounds,
      acknowledged: tally.count,
      lost: registered.length - accounts + losses.reduce((sum, loss) => sum + loss, 0) + (await writer.losses(app.dataDir)),
      miscounted: await miscounted(app.dataDir),
    };
  } finally {
    await app.remove();
  }
}

/** Kills every fourth start before it completes, and retries it. */
async function startKilledAtTimes(app: RunningApp, random: () => number): Promise<void> {
  if (random() < 0.25) {
    const started = app.start().catch(() => undefined);
    await pause(random() * LONGEST_START);
    await app.stop('SIGKILL');
    await started;
  }
  await app.start();
}
