import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { SECOND } from '#domain/clock.ts';
import { createNotifications } from '#server/modules/notifications/service.ts';
import { openVapidKeys } from '#server/settings/vapid-keys.ts';
import { startPostgres } from '#tests/support/processes/postgres.ts';
import { connect, next, questionOf, send, type TestSocket } from '#tests/support/server/realtime.ts';
import { startServer, type TestServer } from '#tests/support/server/server.ts';
import { at } from '#tools/root.mjs';
import { median } from '../median.ts';

const [USERS, BROWSERS] = [2_500, 10_000];
/** Users whom one transaction notifies, as a check of price alerts does. */
const STORED = 100;
/** Allowed time until all browsers have the message, s, and allowed median of an answer meanwhile, against the one without. */
const [MAX_SECONDS, MAX_RATIO] = [60, 1.5];
/** How long answers are measured without pushes, ms. */
const QUIET = 10 * SECOND;
/** Time between two reads, ms. */
const READ_EVERY = 100;
/** Time between two questions, ms. A user of the Free plan has ten. */
const [BETWEEN, ASKERS, QUESTIONS] = [400, 30, 10];

interface Times {
  median: number;
  worst: number;
}

interface Arrived {
  /** When the last browser had its message, ms. */
  at: number;
  reached: number;
  messages: number;
  faults: string[];
}

/** Returns the next message of a child. */
async function answerOf<Answer>(child: ChildProcess): Promise<Answer> {
  const [message] = await once(child, 'message');
  return message;
}

/** Stores users with open sessions and their browsers, a fourth of them each. */
async function fill({ db }: TestServer, browsers: readonly { endpoint: string; keys: object }[]): Promise<string[]> {
  await db.execute(
    sql`insert into users (email, first_name, last_name, password_hash, verified_at)
    select 'pushed' || n || '@example.com', 'Ada', 'Byron', 'x', now() from generate_series(1, ${USERS}::int) n`,
  );
  await db.execute(
    sql`insert into sessions (user_id) select id from users, generate_series(1, ${BROWSERS / USERS}::int) where email like 'pushed%'`,
  );
  await db.execute(sql`insert into destinations (user_id, channel, address, details)
    select one.user_id, 'push', browser->>'endpoint', (browser->'keys')::jsonb || jsonb_build_object('session', one.id)
    from (select user_id, id, row_number() over () as place from sessions
      where user_id in (select id from users where email like 'pushed%')) one
    join json_array_elements(${JSON.stringify(browsers)}::json) with ordinality as given(browser, place) on given.place = one.place`);
  await db.execute(sql`analyze`);
  const { rows } = (await db.execute(sql`select id from users where email like 'pushed%'`)) as unknown as { rows: { id: string }[] };
  return rows.map(({ id }) => id);
}

/** Asks a question again and again. Returns a function that returns how long answers took since its last call, ms. */
async function startAsking(server: TestServer): Promise<() => Times> {
  const askers: { userId: string; socket: TestSocket }[] = [];
  for (let count = 0; count < ASKERS; count++) {
    const { user, tokens } = await server.signUp();
    askers.push({ userId: user.id, socket: await connect(server.url, tokens.accessToken) });
  }
  let times: number[] = [];
  let failure: unknown;
  void (async () => {
    for (let asked = 0; asked < ASKERS * QUESTIONS; asked++) {
      const asker = askers[asked % ASKERS];
      if (!asker?.socket.connected) return;
      const question = questionOf(asker.userId);
      const isAnswer = ({ chat_id, chat_status }: { chat_id: unknown; chat_status: string }) =>
        chat_id === question.client_id && chat_status === 'ai-responce';
      const began = performance.now();
      const [ack] = await Promise.all([send(asker.socket, question), next(asker.socket, 'chat_response', isAnswer)]);
      if ('error' in ack) throw new Error(`a question was refused: ${ack.error.code}`);
      times.push(performance.now() - began);
      await pause(BETWEEN);
    }
  })().catch((error: unknown) => {
    failure = error;
  });
  return () => {
    if (failure !== undefined) throw failure;
    const last = times;
    times = [];
    return { median: median(last), worst: Math.max(...last) };
  };
}

/** Sends one event to all browsers while others read and ask. */
async function measure(name: string, env: Record<string, string>): Promise<{ lines: string[]; failures: string[] }> {
  const service = fork(at('tests/bench/loads/push-service.mjs'));
  const { origin } = await answerOf<{ origin: string }>(service);
  const server = await startServer({ env: { ...env, PRIVATE_TARGETS: origin } });
  const reading = await server.signUp();
  const url = `${server.url}/api/notification/${reading.user.id}`;
  const reader = fork(at('tests/bench/loads/reader.mjs'), [JSON.stringify({ url, token: reading.tokens.accessToken, every: READ_EVERY })]);
  try {
    const { publicKey: key } = await openVapidKeys(server.db, server.config)();
    service.send({ browsers: BROWSERS, key });
    const { browsers } = await answerOf<{ browsers: { endpoint: string; keys: object }[] }>(service);
    const users = await fill(server, browsers);
    const asking = await startAsking(server);
    const reads = async () => {
      reader.send('report');
      return answerOf<Times>(reader);
    };
    await pause(QUIET / 2);
    await reads();
    asking();
    await pause(QUIET);
    const before = { read: await reads(), answer: asking() };
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const [began, cpu] = [Date.now(), process.cpuUsage()];
    const arriving = answerOf<Arrived>(service);
    const { notifyAll } = createNotifications({ db: server.db, clock: Date.now, countClock: env.DATABASE_URL ? 'database' : Date.now });
    for (let from = 0; from < users.length; from += STORED)
      await server.db.transaction((tx) =>
        notifyAll(
          tx,
          users.slice(from, from + STORED).map((userId) => ({ userId, kind: 'alert', text: 'Bitcoin rose above $100,000.' })),
        ),
      );
    const notified = (Date.now() - began) / SECOND;
    const arrived = await arriving;
    const { user, system } = process.cpuUsage(cpu);
    delay.disable();
    const during = { read: await reads(), answer: asking() };
    const seconds = (arrived.at - began) / SECOND;
    const ratio = (kind: 'read' | 'answer') => during[kind].median / before[kind].median;
    const say = (kind: 'read' | 'answer') =>
      `${during[kind].median.toFixed(1)} ms meanwhile (worst ${during[kind].worst.toFixed(0)}), before ${before[kind].median.toFixed(1)} ms ` +
      `(worst ${before[kind].worst.toFixed(0)}), ratio ${ratio(kind).toFixed(2)}`;
    return {
      lines: [
        `Push on ${name}: an event for ${USERS} users is stored in ${notified.toFixed(1)} s and with ${arrived.reached} of ${BROWSERS} browsers, ` +
          `in ${arrived.messages} messages, after ${seconds.toFixed(1)} s (at most ${MAX_SECONDS})`,
        `  ${((user + system) / 1000 / arrived.messages).toFixed(1)} ms of processor time a message; loop delay ` +
          `${(delay.percentile(99) / 1e6).toFixed(0)} ms (99 %), ${(delay.max / 1e6).toFixed(0)} ms (worst)`,
        `  a list of notifications takes ${say('read')}`,
        `  an answer in the chat takes ${say('answer')}`,
      ],
      failures: [
        ...arrived.faults.map((fault) => `${name}: the push service says that ${fault}`),
        ...(arrived.reached < BROWSERS || arrived.messages > BROWSERS ? [`${name}: not each browser has one message`] : []),
        ...(seconds > MAX_SECONDS ? [`${name}: over ${MAX_SECONDS} s`] : []),
        ...(['read', 'answer'] as const).filter((kind) => ratio(kind) > MAX_RATIO).map((kind) => `${name}: pushes delay each ${kind}`),
      ],
    };
  } finally {
    reader.kill();
    service.kill();
    await server.close();
  }
}

/** Measures push messages to many browsers on both databases. */
export async function pushesBench(): Promise<{ lines: string[]; failures: string[] }> {
  const results = [await measure('the embedded database', {})];
  const postgres = await startPostgres();
  if (postgres) {
    results.push(await measure('PostgreSQL', { DATABASE_URL: postgres.url, JWT_SECRET: 'j'.repeat(32), SECRETS_KEY: 's'.repeat(32) }));
    await postgres.stop();
  }
  return { lines: results.flatMap(({ lines }) => lines), failures: results.flatMap(({ failures }) => failures) };
}
