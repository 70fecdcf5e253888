import { readFileSync } from 'node:fs';
import { WATCH } from '#contract/market/choices.ts';
import { type Account, fromAddress, signUp } from '#tests/faults/api.ts';
import { type ModelServer, say, startModelServer } from '#tests/support/chat/openai.ts';
import { type Cluster, startCluster } from '#tests/support/cluster/cluster.ts';
import { startServices } from '#tests/support/cluster/services.ts';
import { connect, next, questionOf, send, type TestSocket } from '#tests/support/server/realtime.ts';
import { median } from '../median.ts';
import { drive } from './drive.ts';

const ROUNDS = 5;
/** Rounds before those that count: each process compiles its code and fills its caches. */
const WARM_UP = 3;
const ROUND_MS = 2_000;
/** Together they stay below the limit of requests that each user has. */
const USERS = 80;
/** Users who sign up at once. */
const AT_ONCE = 4;
/** Addresses of one neighborhood, which has limits too. */
const NEIGHBORHOOD = 256;
/** Questions of each user in a round, after one in each round of the warm-up: the Free plan has ten. */
const QUESTIONS = 2;
const QUESTION_ROUNDS = 3;
const COIN = { cryptoId: 1, cryptoSymbol: 'BTC', cryptoName: 'Bitcoin' };
/** Unit of processor time in /proc, ms. */
const CLOCK_TICK = 10;

interface Visitor extends Account {
  network: number;
  socket: TestSocket;
}

/** Web processes behind HAProxy on a database of their own. */
interface Stage {
  cluster: Cluster;
  visitors: Visitor[];
}

/** Loads a stage. Returns answers a second. */
type Load = (stage: Stage) => Promise<number>;

/** Measures three web processes beside one, in turn, each behind HAProxy with PostgreSQL. Returns lines to print. */
export async function processesBench(): Promise<string[]> {
  const services = await startServices({ redis: false });
  const model = await startModelServer();
  model.plays = [say('Bitcoin goes up and down.')];
  const stages: Stage[] = [];
  try {
    for (const count of [1, 3]) stages.push(await openStage(services, model, count));
    const [one, three] = stages;
    if (!one || !three) throw new Error('A stage did not open.');
    const lines = [
      await compare(
        'Market list from the cache',
        one,
        three,
        requestLoad(({ token }) => [get('/api/coin-market/get-data?limit=100', token)]),
      ),
      await compare(
        'Profile from the database',
        one,
        three,
        requestLoad(({ userId, token }) => [get(`/api/auth/user/${userId}/`, token)]),
      ),
      await compare('Watchlist change', one, three, requestLoad(watchAndUnwatch)),
    ];
    const ask = { rounds: QUESTION_ROUNDS, warmUp: (stage: Stage) => askAll(stage, 1) };
    lines.push(await compare('Question with its answer', one, three, (stage) => askAll(stage, QUESTIONS), ask));
    return lines;
  } finally {
    for (const { cluster, visitors } of stages) {
      for (const { socket } of visitors) socket.disconnect();
      await cluster.remove();
    }
    await model.close();
    await services.stop();
  }
}

async function openStage(services: Parameters<typeof startCluster>[0], model: ModelServer, count: number): Promise<Stage> {
  const settings = { AI_BASE_URL: model.url, AI_MODEL: 'quick', MARKET_TICK_MS: '3600000', LOG_LEVEL: 'error' };
  const cluster = await startCluster(services, settings, { roles: Array.from({ length: count }, () => 'web' as const) });
  const visitors: Visitor[] = [];
  let started = 0;
  const signUpSome = async () => {
    while (started < USERS) {
      const network = NEIGHBORHOOD * ++started;
      const account = await signUp(cluster, network, `visitor-${network}@example.com`);
      visitors.push({ ...account, network, socket: await connect(cluster.url, account.token, fromAddress(network)) });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, signUpSome));
  return { cluster, visitors };
}

/** Loads both stages in turn. Returns a line with the medians. */
async function compare(name: string, one: Stage, three: Stage, load: Load, { rounds = ROUNDS, warmUp = load } = {}): Promise<string> {
  const figures = new Map([one, three].map((stage) => [stage, { rates: [] as number[], costs: [] as number[] }]));
  for (let round = 0; round < WARM_UP; round++) for (const stage of figures.keys()) await warmUp(stage);
  for (let round = 0; round < rounds; round++) {
    for (const [stage, { rates, costs }] of figures) {
      const [before, began] = [processorTime(stage), performance.now()];
      const rate = await load(stage);
      rates.push(rate);
      costs.push((processorTime(stage) - before) / ((rate * (performance.now() - began)) / 1000));
    }
  }
  const [alone, together] = [...figures.values()];
  const ratio = median((together?.rates ?? []).map((rate, round) => rate / (alone?.rates[round] ?? Number.NaN)));
  const sayOf = (of: typeof alone) =>
    `${median(of?.rates ?? []).toFixed(0)}/s at ${median(of?.costs ?? []).toFixed(2)} ms of processor time`;
  return `${name}: one process ${sayOf(alone)}, three ${sayOf(together)}, ratio ${ratio.toFixed(2)} (${ratio >= 1 ? 'not lower' : 'LOWER'})`;
}

/** Returns the processor time that the web processes of a stage have used, ms. */
function processorTime({ cluster }: Stage): number {
  const times = cluster.processes.map(({ pid }) => {
    // The name of the program, in parentheses, may hold spaces.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) * CLOCK_TICK;
  });
  return times.reduce((sum, time) => sum + time, 0);
}

/** Returns a load of requests of all users, over 32 connections to the proxy. */
const requestLoad =
  (requestsOf: (visitor: Visitor) => Buffer[]): Load =>
  ({ cluster, visitors }) =>
    drive(Number(new URL(cluster.url).port), visitors.flatMap(requestsOf), ROUND_MS);

const head = (method: string, path: string, token: string): string[] => [
  `${method} ${path} HTTP/1.1`,
  'host: localhost',
  `authorization: Bearer ${token}`,
  'accept: application/json',
];

const get = (path: string, token: string): Buffer => Buffer.from(`${head('GET', path, token).join('\r\n')}\r\n\r\n`);

function watchAndUnwatch({ userId, token }: Visitor): Buffer[] {
  return [WATCH.add, WATCH.remove].map((actionType) => {
    const body = JSON.stringify({ userId, ...COIN, actionType });
    const lines = [...head('POST', '/api/watchlist', token), 'content-type: application/json', `content-length: ${body.length}`];
    return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`);
  });
}

/** Lets all users ask one question after another. Returns answers a second. */
async function askAll({ visitors }: Stage, questions: number): Promise<number> {
  const began = performance.now();
  await Promise.all(
    visitors.map(async ({ userId, socket }) => {
      for (let asked = 0; asked < questions; asked++) {
        const question = questionOf(userId);
        const answer = next(
          socket,
          'chat_response',
          ({ chat_id, chat_status }) => chat_id === question.client_id && chat_status === 'ai-responce',
        );
        const ack = await send(socket, question);
        if ('error' in ack) throw new Error(`A question was refused: ${ack.error.code}`);
        await answer;
      }
    }),
  );
  return (questions * visitors.length * 1000) / (performance.now() - began);
}
