import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { SOCKET_PATH } from '#contract/paths.ts';
import { createDemoMarket } from '#server/ports/market-data/demo-market.ts';
import { startServer, type TestServer } from '#tests/support/server/server.ts';
import { at } from '#tools/root.mjs';

const COINS = 20;
const PER_USER = 500;
const TICK = 5_000;
/** How long ticks are counted, ms. */
const SPAN = 12 * TICK;
/** Sockets of the comparison, few enough for one portion. */
const FEW = 100;

interface Measured {
  /** Ticks that arrived, as a share of those due. */
  delivered: number;
  ticks: number;
  /** Event loop delay, ms. */
  p99: number;
  worst: number;
  /** KiB of the server's memory for one socket. */
  memory: number;
}

const rss = () => process.memoryUsage.rss() / 1024;

/** Connects sockets that watch the same coins, and measures this process while it sends them ticks. */
async function measure(server: TestServer, tokens: string[], sockets: number, coins: number[]): Promise<Measured> {
  const before = rss();
  const url = `${server.url.replace('http', 'ws')}${SOCKET_PATH}/`;
  const listener = fork(at('tests/bench/loads/tick-listener.mjs'), [JSON.stringify({ url, tokens, sockets, coins })]);
  try {
    await answerOf(listener);
    const memory = (rss() - before) / sockets;
    const delay = monitorEventLoopDelay({ resolution: 1 });
    listener.send('begin');
    delay.enable();
    await pause(SPAN);
    delay.disable();
    listener.send('report');
    // The first and the last tick may be cut by the span.
    const ticks = ((await answerOf(listener)) as [string, number][]).slice(1, -1);
    const delivered = ticks.reduce((sum, [, heard]) => sum + heard, 0) / (ticks.length * sockets);
    return { delivered, ticks: ticks.length, p99: delay.percentile(99) / 1e6, worst: delay.max / 1e6, memory };
  } finally {
    listener.kill();
    await once(listener, 'exit');
  }
}

/** Returns the next message of a child; rejects when it ends before. */
async function answerOf(child: ChildProcess): Promise<unknown> {
  const ended = new AbortController();
  const dead = once(child, 'exit', { signal: ended.signal }).then(([code]) => {
    throw new Error(`the listener ended with ${code}`);
  });
  try {
    const [message] = (await Promise.race([once(child, 'message', { signal: ended.signal }), dead])) as [unknown];
    return message;
  } finally {
    ended.abort();
    dead.catch(() => undefined);
  }
}

/** Measures what ticks for thousands of sockets cost a process. Returns lines to print. */
export async function socketsBench(many = 10_000): Promise<string[]> {
  const market = createDemoMarket({ clock: Date.now, seed: 1, tickMs: TICK });
  const env = { MAX_SOCKETS_PER_NETWORK: '100000', MAX_SOCKETS_PER_USER: String(PER_USER), MARKET_TICK_MS: String(TICK) };
  const server = await startServer({ market, env });
  try {
    const tokens: string[] = [];
    for (let user = 0; user < many / PER_USER; user++) tokens.push((await server.signUp()).tokens.accessToken);
    const coins = (await market.snapshot()).coins.slice(0, COINS).map(({ id }) => id);
    const lines: string[] = [];
    for (const sockets of [FEW, many]) {
      const { delivered, ticks, p99, worst, memory } = await measure(server, tokens, sockets, coins);
      lines.push(
        `${sockets} sockets, ${COINS} coins each: ${(100 * delivered).toFixed(2)} % of ${ticks} ticks; loop delay ${p99.toFixed(0)} ms (99 %), ${worst.toFixed(0)} ms (worst); ${memory.toFixed(0)} KiB a socket`,
      );
    }
    return lines;
  } finally {
    await server.close();
  }
}
