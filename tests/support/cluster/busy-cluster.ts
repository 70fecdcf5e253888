import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import { createRandom } from '#domain/random.ts';
import { type Customer, createCustomer, type Refusal } from '#tests/faults/customer.ts';
import { createTally, type Tally } from '#tests/faults/tally.ts';
import { type ChatPage, openChatPage, type Sight } from './chat-page.ts';
import { type Cluster, type ClusterOptions, type ClusterProcess, startCluster } from './cluster.ts';
import type { ClusterServices } from './services.ts';
import { startSlowModel } from './slow-model.ts';
import { plantTraders, wrongRows } from './traders.ts';

/** How long answers may take at the end, ms. */
const ANSWERED_WITHIN = 60_000;
/** How long bots may take to go on, ms: twice the time after which the engine looks at a bot with a position again. */
const LOOKED_AT_WITHIN = 120_000;
const SEED = 1;

export interface Load extends Pick<ClusterOptions, 'programOf'> {
  bots: number;
  /** Longest time of the model until it begins to answer, ms. */
  slowestModel: number;
  settings?: Record<string, string>;
}

/** An answer that a page got, and how long its user waited for it beside the model's work, ms. */
export interface Wait extends Sight {
  waited: number;
}

/** A cluster whose bots trade, and whose customers ask a fake model. Each customer has a page that behaves as the app's. */
export interface BusyCluster {
  cluster: Cluster;
  tally: Tally;
  random: () => number;
  /** Signs customers up. `pace`: longest pause of each between two questions, ms. `onAway`: see createCustomer. */
  addCustomers(count: number, options: { pace: number; onAway?: (refusal: Refusal) => void }): Promise<void>;
  /** Kills a process of the cluster, and starts it again. */
  restart(process: ClusterProcess): Promise<void>;
  /** Lets customers ask until all have used up their allowances, or until `signal`. */
  ask(signal?: AbortSignal): Promise<void>;
  /** Demands that all that was acknowledged is there, was answered, charged and traded once, and that its page got each answer. */
  expectNothingLost(): Promise<void>;
  /** Returns all answers that pages got. */
  waits(): Wait[];
  remove(): Promise<void>;
}

/** Starts a cluster with bots and no customers. */
export async function startBusyCluster(services: ClusterServices, { bots, slowestModel, settings, programOf }: Load): Promise<BusyCluster> {
  const random = createRandom(SEED);
  const tally = createTally();
  const model = await startSlowModel(() => random() * slowestModel);
  const env = { AI_BASE_URL: model.url, AI_MODEL: 'slow', MAX_SOCKETS_PER_NETWORK: '1000', PAPER_SPEED: '600', ...settings };
  const cluster = await startCluster(services, env, programOf && { programOf }).catch(async (error) => {
    await model.close();
    throw error;
  });
  const customers: Customer[] = [];
  const pages: ChatPage[] = [];
  const open = (...args: Parameters<typeof openChatPage>) => {
    const page = openChatPage(...args);
    pages.push(page);
    return page;
  };
  const busy: BusyCluster = {
    cluster,
    tally,
    random,
    async addCustomers(count, options) {
      const end = customers.length + count;
      while (customers.length < end) customers.push(await createCustomer(cluster, customers.length, { random, tally, open, ...options }));
    },
    async restart(process) {
      model.noteKill();
      await process.stop('SIGKILL');
      await process.start();
    },
    async ask(signal = new AbortController().signal) {
      const one = async (customer: Customer) => {
        for (; !customer.spent && !signal.aborted; await pause(100)) await customer.live(signal);
      };
      await Promise.all(customers.map(one));
    },
    async expectNothingLost() {
      const losses = await Promise.all(customers.map((customer) => customer.losses(ANSWERED_WITHIN)));
      expect(losses.reduce((sum, lost) => sum + lost, 0)).toBe(0);
      expect(await wrongRows(cluster, LOOKED_AT_WITHIN)).toEqual([]);
    },
    waits: () => pages.flatMap(({ sights, texts }) => sights.map((sight) => ({ ...sight, waited: model.waitedBeside(sight, texts) }))),
    async remove() {
      for (const page of pages) page.close();
      await cluster.remove().finally(() => model.close());
    },
  };
  await plantTraders(cluster, bots).catch(async (error) => {
    await busy.remove();
    throw error;
  });
  return busy;
}
