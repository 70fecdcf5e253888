import { readFileSync } from 'node:fs';
import { WATCH } from '#contract/market/choices.ts';
import { createClient } from '#tests/attack/client.ts';
import { goPremium } from '#tests/attack/people.ts';
import { type Account, fromAddress, signUp } from '#tests/faults/api.ts';
import { type ModelServer, say, startModelServer } from '#tests/support/chat/openai.ts';
import type { RunningApp } from '#tests/support/processes/app.ts';
import { connect, next, questionOf, send, type TestSocket } from '#tests/support/server/realtime.ts';
import { drive } from '../loads/drive.ts';
import { median } from '../median.ts';

const ROUNDS = 8;
/**
 * Rounds before those that count, for each process of a stage: each compiles its code and fills its caches, and one
 * of three gets a third of the requests.
 */
const WARM_UP = 10;
const ROUND_MS = 1_000;
/** Each stays below half of the requests that a user has a minute, from which on all uses are shared, up to 10,000 a second every other second. */
const USERS = 500;
/** Those of them who ask. */
const ASKING = 200;
/** Users who sign up at once. */
const AT_ONCE = 4;
/** Addresses of one neighborhood, which has limits too. */
const NEIGHBORHOOD = 256;
/** Questions of each user in a round that counts. In each other round there is one: 30 in all, as many as a user may ask a minute. */
const QUESTIONS = 2;
const QUESTION_ROUNDS = 5;
const QUESTION_WARM_UP = 5;
const COIN = { cryptoId: 1, cryptoSymbol: 'BTC', cryptoName: 'Bitcoin' };
/** Unit of processor time in /proc, ms. */
const CLOCK_TICK = 10;

interface Visitor extends Account {
  network: number;
  socket: TestSocket;
}

/** One of two servers, or groups of them, that are loaded in turn, on a database of its own. */
export interface Stage {
  /** Its name in what is printed. */
  name: string;
  app: RunningApp;
  /** The processes whose processor time counts. */
  processes: readonly { readonly pid: number | undefined }[];
  visitors: Visitor[];
}

/** Two stages, the one in question first. */
export type Pair = readonly [Stage, Stage];

/** Loads a stage. Returns answers a second. */
type Load = (stage: Stage) => Promise<number>;

/** Starts a model that answers at once. */
export async function startQuickModel(): Promise<ModelServer> {
  const model = await startModelServer();
  model.plays = [say('Bitcoin goes up and down.')];
  return model;
}

/** Settings of a server on a stage. */
export const stageSettings = (model: ModelServer): Record<string, string> => ({
  AI_BASE_URL: model.url,
  AI_MODEL: 'quick',
  MARKET_TICK_MS: '3600000',
  LOG_LEVEL: 'error',
  TRUST_PROXY: 'on',
});

/** Signs the visitors up, with the plan without a limit of questions. If that fails, the stage is closed. */
export async function openStage(opened: Omit<Stage, 'visitors'>): Promise<Stage> {
  const stage: Stage = { ...opened, visitors: [] };
  let started = 0;
  const signUpSome = async () => {
    while (started < USERS) {
      const network = NEIGHBORHOOD * ++started;
      const account = await signUp(stage.app, network, `visitor-${network}@example.com`);
      await goPremium(createClient(stage.app.url), { userId: account.userId, accessToken: account.token });
      stage.visitors.push({ ...account, network, socket: await connect(stage.app.url, account.token, fromAddress(network)) });
    }
  };
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, signUpSome));
  } catch (error) {
    await closeStage(stage);
    throw error;
  }
  return stage;
}

/** Stops the servers and deletes their data. */
export async function closeStage({ app, visitors }: Stage): Promise<void> {
  for (const { socket } of visitors) socket.disconnect();
  await app.remove();
}

/** Loads both stages in turn with each load. Yields a line for each. */
export async function* compareStages(pair: Pair): AsyncGenerator<string> {
  yield await compare(
    'Market list from the cache',
    pair,
    requestLoad(({ token }) => [get('/api/coin-market/get-data?limit=100', token)]),
  );
  yield await compare(
    'Profile from the database',
    pair,
    requestLoad(({ userId, token }) => [get(`/api/auth/user/${userId}/`, token)]),
  );
  yield await compare('Watchlist change', pair, requestLoad(watchAndUnwatch));
  const ask = { rounds: QUESTION_ROUNDS, warmUps: QUESTION_WARM_UP, warmUp: (stage: Stage) => askAll(stage, 1) };
  yield await compare('Question with its answer', pair, (stage) => askAll(stage, QUESTIONS), ask);
}

interface Rounds {
  rounds?: number;
  warmUps?: number;
  warmUp?: Load;
}

/** Loads both stages in turn. Returns a line with the medians, and the median of the rounds' ratios. */
async function compare(
  name: string,
  pair: Pair,
  load: Load,
  { rounds = ROUNDS, warmUps = WARM_UP, warmUp = load }: Rounds = {},
): Promise<string> {
  const figures = pair.map(() => ({ rates: [] as number[], costs: [] as number[] }));
  for (let round = 0; round < warmUps; round++) {
    for (const stage of pair) for (const _process of stage.processes) await warmUp(stage);
  }
  for (let round = 0; round < rounds; round++) {
    for (const [place, stage] of pair.entries()) {
      // While the other stage had its turn, processes have ceased to trust tokens, after a second without a request.
      await warmUp(stage);
      const [before, began] = [processorTime(stage), performance.now()];
      const rate = await load(stage);
      figures[place]?.rates.push(rate);
      figures[place]?.costs.push((processorTime(stage) - before) / ((rate * (performance.now() - began)) / 1000));
    }
  }
  const ratioOf = (of: 'rates' | 'costs') => {
    const [first = [], second = []] = figures.map((each) => each[of]);
    return median(first.map((figure, round) => figure / (second[round] ?? Number.NaN)));
  };
  const said = figures.map(
    ({ rates, costs }, place) => `${pair[place]?.name} ${median(rates).toFixed(0)}/s at ${median(costs).toFixed(2)} ms of processor time`,
  );
  const rate = ratioOf('rates');
  const verdict = rate >= 1 ? 'not lower' : 'LOWER';
  return `${name}: ${said.join(', ')}, ratio ${rate.toFixed(2)} (${verdict}), of processor time ${ratioOf('costs').toFixed(2)}`;
}

/** Returns the processor time that the processes of a stage have used, ms. */
function processorTime({ processes }: Stage): number {
  const times = processes.map(({ pid }) => {
    // The name of the program, in parentheses, may hold spaces.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) * CLOCK_TICK;
  });
  return times.reduce((sum, time) => sum + time, 0);
}

/** Returns a load of requests of all users, over 32 connections. */
const requestLoad =
  (requestsOf: (visitor: Visitor) => Buffer[]): Load =>
  ({ app, visitors }) =>
    drive(Number(new URL(app.url).port), visitors.flatMap(requestsOf), ROUND_MS);

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

/** Lets users ask one question after another. Returns answers a second. */
async function askAll({ visitors }: Stage, questions: number): Promise<number> {
  const asking = visitors.slice(0, ASKING);
  const began = performance.now();
  await Promise.all(
    asking.map(async ({ userId, socket }) => {
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
  return (questions * asking.length * 1000) / (performance.now() - began);
}
