import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { SOCKET_PATH } from '#contract/paths.ts';
import { createDemoMarket } from '#server/ports/market-data/demo-market.ts';
import { startServer, type TestServer } from '#tests/support/server/server.ts';
import { at } from '#tools/root.mjs';

const COINS = 20;
/** Lists of coins: the sockets of a user watch one of them, each with other coins. */
const LISTS = 40;
/** The longest delay of the event loop, ms. */
const MAX_DELAY = 100;
/** Fewer than the changes of watched coins that a user may send in a minute. */
const PER_USER = 250;
const TICK = 5_000;
/** How long ticks are counted, ms. */
const SPAN = 12 * TICK;
/** Sockets of the comparison, few enough for one portion. */
const FEW = 100;
/** How long reads are measured before a storm, ms. */
const QUIET = 5_000;
/** The first delay of a page that reconnects: half to one and a half of it (client/platform/live/socket.ts). */
const RECONNECT = 1_000;

interface Bench {
  server: TestServer;
  tokens: string[];
  /** What the sockets of each token watch. */
  lists: number[][];
}

interface Ticks {
  ticks: [string, number][];
  /** Share of a processor that the listener itself used. */
  busy: number;
}

const rss = () => process.memoryUsage.rss() / 1024;

/** Starts a process that opens sockets. With `delay`, each opens after half to one and a half of it, ms, as pages do. */
function startListener({ server, tokens, lists }: Bench, sockets: number, delay?: number): ChildProcess {
  const url = `${server.url.replace('http', 'ws')}${SOCKET_PATH}/`;
  return fork(at('tests/bench/loads/tick-listener.mjs'), [JSON.stringify({ url, tokens, sockets, lists, delay })]);
}

async function end(child: ChildProcess): Promise<void> {
  child.kill();
  await once(child, 'exit');
}

/** Connects sockets that watch coins, and measures this process while it sends them ticks. Returns a line to print. */
async function measureTicks(bench: Bench, sockets: number): Promise<string> {
  const before = rss();
  const listener = startListener(bench, sockets);
  try {
    await answerOf(listener);
    const memory = (rss() - before) / sockets;
    const delay = monitorEventLoopDelay({ resolution: 1 });
    listener.send('begin');
    delay.enable();
    const cpu = process.cpuUsage();
    await pause(SPAN);
    const { user, system } = process.cpuUsage(cpu);
    delay.disable();
    listener.send('report');
    const { ticks: heard, busy } = (await answerOf(listener)) as Ticks;
    // The first and the last tick may be cut by the span.
    const ticks = heard.slice(1, -1);
    const delivered = ticks.reduce((sum, [, count]) => sum + count, 0) / (ticks.length * sockets);
    const [p99, worst] = [delay.percentile(99) / 1e6, delay.max / 1e6];
    const verdict = delivered === 1 && worst <= MAX_DELAY ? 'within' : 'OVER';
    return (
      `${sockets} sockets, ${COINS} coins each, in ${LISTS} lists: ${(100 * delivered).toFixed(2)} % of ${ticks.length} ticks; ` +
      `${((user + system) / 1000 / (SPAN / TICK)).toFixed(0)} ms of processor time a tick; ` +
      `loop delay ${p99.toFixed(0)} ms (99 %), ${worst.toFixed(0)} ms (worst; ${verdict} the bar, all ticks and ${MAX_DELAY} ms); ${memory.toFixed(0)} KiB a socket; ` +
      `the listener used ${(100 * busy).toFixed(0)} % of a processor`
    );
  } finally {
    await end(listener);
  }
}

/** Lets all pages of a restarted server connect as they do, and measures what others wait meanwhile. Returns a line to print. */
async function measureStorm(bench: Bench, sockets: number): Promise<string> {
  const url = `${bench.server.url}/api/coin-market/get-data?limit=100`;
  const reader = fork(at('tests/bench/loads/reader.mjs'), [JSON.stringify({ url, token: bench.tokens[0] })]);
  let listener: ChildProcess | undefined;
  const readTimes = async () => {
    reader.send('report');
    return (await answerOf(reader)) as { median: number; worst: number; count: number };
  };
  try {
    await pause(QUIET);
    await readTimes();
    await pause(QUIET);
    const quiet = await readTimes();
    listener = startListener(bench, sockets, RECONNECT);
    const { ms } = (await answerOf(listener)) as { ms: number };
    const storm = await readTimes();
    return (
      `${sockets} sockets connect within ${RECONNECT / 1000} s: all are connected after ${(ms / 1000).toFixed(1)} s; ` +
      `a market list takes ${storm.median.toFixed(1)} ms meanwhile (median of ${storm.count}; worst ${storm.worst.toFixed(0)}), ` +
      `before ${quiet.median.toFixed(1)} ms (worst ${quiet.worst.toFixed(0)})`
    );
  } finally {
    await end(reader);
    if (listener) await end(listener);
  }
}

/** Returns the next message of a child; rejects when it ends before. */
async function answerOf(child: ChildProcess): Promise<unknown> {
  const ended = new AbortController();
  const dead = once(child, 'exit', { signal: ended.signal }).then(([code]) => {
    throw new Error(`a child ended with ${code}`);
  });
  try {
    const [message] = (await Promise.race([once(child, 'message', { signal: ended.signal }), dead])) as [unknown];
    return message;
  } finally {
    ended.abort();
    dead.catch(() => undefined);
  }
}

/** Measures what thousands of sockets cost a process. Yields lines to print. */
export async function* socketsBench(many = 10_000): AsyncGenerator<string> {
  const market = createDemoMarket({ clock: Date.now, seed: 1, tickMs: TICK });
  const env = { MAX_SOCKETS_PER_NETWORK: '100000', MAX_SOCKETS_PER_USER: String(PER_USER), MARKET_TICK_MS: String(TICK) };
  const server = await startServer({ market, env });
  try {
    const tokens: string[] = [];
    for (let user = 0; user < many / PER_USER; user++) tokens.push((await server.signUp()).tokens.accessToken);
    const coins = (await market.snapshot()).coins.map(({ id }) => id);
    const lists = tokens.map((_, user) =>
      Array.from({ length: COINS }, (_, place) => coins[((user % LISTS) + place * 3) % coins.length] ?? 0),
    );
    const bench = { server, tokens, lists };
    yield await measureTicks(bench, FEW);
    yield await measureTicks(bench, many);
    yield await measureStorm(bench, many);
  } finally {
    await server.close();
  }
}
