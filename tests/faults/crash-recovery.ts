import { execFile } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type RunningApp, startApp } from '../support/processes/app.ts';
import { signUp } from './api.ts';
import { createCorrespondent } from './correspondent.ts';
import { type Customer, createCustomer } from './customer.ts';
import { miscounted } from './ledger.ts';
import { createRandom } from './random.ts';
import { registerAccounts, stillRegistered } from './registrar.ts';
import { createTally } from './tally.ts';

const CUSTOMERS = 3;
/** The address of the one who writes to support, as `api.call` counts them. */
const WRITER = 500;
/** Acknowledged writes until the server is killed; counted and not timed, so that a busy machine tests as much. */
const LONGEST_LIFE = 40;
/** Then this long, ms, so that the kill meets writes at every stage. */
const LAST_MOMENT = 50;
const LONGEST_START = 1_500;
const ANSWERED_WITHIN = 60_000;

export interface CrashReport {
  rounds: number;
  /** Writes the server had promised: accounts, archives, questions and edits, messages to support. */
  acknowledged: number;
  /** Promised writes that were gone, changed, doubled or left unanswered afterwards. */
  lost: number;
  /** Charges that are missing, doubled, still reserved, of nothing, or more than an allowance has. */
  miscounted: number;
}

/**
 * Kills the built server (kill -9) `rounds` times at moments drawn from `seed`, while people register, ask and write, and
 * starts it again on the same data. Then looks for everything that was acknowledged, each question answered once
 * and charged once.
 * Some kills hit the start itself.
 */
export async function run({ rounds, seed }: { rounds: number; seed: number }): Promise<CrashReport> {
  await build();
  const random = createRandom(seed);
  // Behind a pretended proxy everyone has an address of their own, and the limits for one address do not interfere.
  const app = await startApp({ TRUST_PROXY: 'on', LOG_LEVEL: 'error' });
  try {
    const tally = createTally();
    const customers: Customer[] = [];
    const registered: string[] = [];
    const writer = createCorrespondent(app, await signUp(app, WRITER, 'writer@example.com'), random, tally);

    for (let round = 1; round <= rounds; round++) {
      if (!app.pid) await startKilledAtTimes(app, random);
      while (customers.filter(({ spent }) => !spent).length < CUSTOMERS) {
        customers.push(await createCustomer(app, customers.length, random, tally));
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

/** Every fourth start is killed before it is done, and tried again. */
async function startKilledAtTimes(app: RunningApp, random: () => number): Promise<void> {
  if (random() < 0.25) {
    const started = app.start().catch(() => undefined);
    await pause(random() * LONGEST_START);
    await app.stop('SIGKILL');
    await started;
  }
  await app.start();
}

/** Builds only what changed: nothing after `npm run faults` or `npm test`, which build first. */
const build = () => promisify(execFile)(process.execPath, [fileURLToPath(new URL('../../src/tools/build.mjs', import.meta.url)), 'server']);
