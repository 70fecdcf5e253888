import { expect } from 'vitest';
import { apiError } from '#contract/errors.ts';
import { WATCH } from '#contract/market/choices.ts';
import { marketListAnswer } from '#contract/market/market.ts';
import { watchlistAnswer } from '#contract/market/watchlist.ts';
import { type Account, call, signUp } from '#tests/faults/api.ts';
import type { Refusal } from '#tests/faults/customer.ts';
import type { Cluster } from './cluster.ts';
import { type Watched, watchRequests } from './watch-requests.ts';

/** Pause of each reader and writer between two requests, ms. A user may send 1,200 a minute; after an outage, those of two minutes count as one's. */
const EVERY = 400;
const READERS = 2;
/** Network of the first account: those of customers are below. */
const FIRST_NETWORK = 1_000;
/** Coins that each writer adds to its watchlist, one by one, and then removes. */
const COINS = 5;

export type Request = Watched<Awaited<ReturnType<typeof call>>>;

/** Users who read and write all the time: one at each web process, and one at the proxy, which asks those that are ready. */
export interface OutageLoad {
  /** Sends requests until `signal`. Returns them, and what each web process said of its readiness. */
  run(signal: AbortSignal): Promise<{ requests: Request[]; readiness: Request[] }>;
  /** Demands that each watchlist is as it was last written. */
  expectWritten(): Promise<void>;
}

/** Signs the users up. */
export async function createOutageLoad(cluster: Cluster): Promise<OutageLoad> {
  const web = cluster.processes
    .filter(({ name }) => name.startsWith('web'))
    .map(({ name, port }) => ({ name, url: `http://127.0.0.1:${port}` }));
  const targets = [...web, { name: 'proxy', url: cluster.url }];
  const users = await Promise.all(
    targets.map(async (target, index) => {
      const network = FIRST_NETWORK + index;
      const account = await signUp(cluster, network, `${target.name}@example.com`);
      return { ...target, ...account, network, writer: await createWriter(target, network, account) };
    }),
  );
  return {
    async run(signal) {
      const every = { every: EVERY, signal };
      const api = users.flatMap(({ name, url, network, userId, token, writer }) => [
        ...Array.from({ length: READERS }, () =>
          watchRequests(name, () => call({ url }, network, `/auth/user/${userId}/`, { token }), every),
        ),
        watchRequests(name, writer.write, every),
      ]);
      const probes = web.map(({ name, url }) => watchRequests(name, () => readiness(url), every));
      const [requests, ready] = await Promise.all([Promise.all(api), Promise.all(probes)]);
      return { requests: requests.flat(), readiness: ready.flat() };
    },
    async expectWritten() {
      for (const { writer } of users) await writer.expectWritten();
    },
  };
}

async function readiness(url: string) {
  const response = await fetch(`${url}/readyz`);
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** Adds and removes watched coins. What is refused is written again before anything else. */
async function createWriter(app: { url: string }, network: number, { userId, token }: Account) {
  const { body } = await call(app, network, `/coin-market/get-data?limit=${COINS}`, { body: { userId }, token });
  const coins = marketListAnswer.parse(body).data.data;
  const watched = new Set<number>();
  let step = 0;
  async function write() {
    const coin = coins[step % COINS];
    if (!coin) throw new Error('The market has no coins.');
    const actionType = watched.has(coin.id) ? WATCH.remove : WATCH.add;
    const change = { userId, cryptoId: coin.id, cryptoSymbol: coin.symbol, cryptoName: coin.name, actionType };
    const answer = await call(app, network, '/watchlist', { body: change, token });
    if (answer.status === 200) {
      step += 1;
      if (!watched.delete(coin.id)) watched.add(coin.id);
    }
    return answer;
  }
  return {
    write,
    async expectWritten() {
      expect(await write()).toMatchObject({ status: 200 }); // the last one of the load may have been refused
      const list = await call(app, network, `/watchlist/${userId}`, { body: {}, token });
      expect(new Set(watchlistAnswer.parse(list.body).ids)).toEqual(watched);
    },
  };
}

/** Returns whether an answer is a clear refusal: 503, and the API's form. */
export function isClearRefusal({ status, body, headers }: Refusal): boolean {
  const found = apiError.safeParse(body);
  const isForm = status === 503 && found.success && found.data.status === status && found.data.message !== '';
  return isForm && (headers === undefined || Number(headers.get('retry-after')) > 0);
}
