import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DAY, HOUR, MINUTE, SECOND } from '#domain/clock.ts';
import type { Candle } from '#domain/market/candles.ts';
import { createRandom } from '#domain/random.ts';
import { readConfig } from '#server/config.ts';
import { openDb } from '#server/db/open.ts';
import { botOrders } from '#server/db/schema/bots.ts';
import { openExchange } from '#server/ports/exchange/exchanges.ts';
import { readBundledCandles } from '#server/ports/market-data/bundled.ts';
import { createRig, plantBots } from '../support/bots/bot-rig.ts';
import { type BybitServer, startBybit } from '../support/bots/bybit/bybit-server.ts';
import { bundleProgram } from '../support/processes/bundle.mjs';
import { copyDatabase } from '../support/server/empty-database.ts';

const T0 = Date.UTC(2026, 10, 23, 9, 0);
const PRICE = 60_000;
const BOTS = 2;
const KEYS = { key: 'paper-demo-key', secret: 'paper-demo-secret' };
/** Longer than any lease of a bot, ms. */
const LIFE = 15 * SECOND;

type Feed = 'live' | 'replay';

export interface FeedCrashReport {
  kills: number;
  /** Descriptions of broken invariants. */
  faults: string[];
}

/** Queries that find broken invariants after the feed has changed with an open position in each account. */
const FAULTS = {
  'accounts whose position did not close exactly once': `
    select bots.id from bots left join paper_fills on bot_id = bots.id and fill ->> 'reason' = 'feed'
    group by bots.id having count(bot_id) <> 1`,
  'trades that are not closed once, at the price of the fill': `
    select bots.id from bots left join bot_trades on bot_trades.bot_id = bots.id
      left join paper_fills on paper_fills.bot_id = bots.id and fill ->> 'reason' = 'feed'
    group by bots.id
    having count(distinct entry_id) <> 1 or bool_or(reason is distinct from 'feed')
      or bool_or(abs(exit_price - (fill ->> 'price')::float8) > 0.01)`,
  'journals that do not tell the close exactly once': `
    select bots.id from bots left join bot_events on bot_id = bots.id and kind = 'closed' group by bots.id having count(bot_id) <> 1`,
  'positions that are still open': `
    select bots.id from bots left join paper_accounts on bot_id = bots.id
    where position is not null or book -> 'position' is distinct from 'null'`,
};

/** Changes the paper market's feed in a process that is killed (kill -9) at moments drawn from `seed`, and checks that positions close once. */
export async function runFeedCrashes({ kills, seed, from }: { kills: number; seed: number; from: Feed }): Promise<FeedCrashReport> {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-feed-'));
  const server = await startMarket();
  const random = createRandom(seed);
  const to = from === 'live' ? 'replay' : 'live';
  try {
    const program = await bundleProgram('tests/faults/feed-changer.ts');
    await plant(join(folder, 'planted'), server.url, from);
    const run = (dataDir: string, life: number, deadly: number) =>
      start(program, { dataDir, url: server.url, feed: to, now: T0 + MINUTE + life * LIFE, deadly });
    const report: FeedCrashReport = { kills: 0, faults: [] };
    let messages = 0;
    for (let round = 0; round <= kills; round++) {
      const dataDir = join(folder, `round-${round}`);
      cpSync(join(folder, 'planted'), dataDir, { recursive: true });
      const deadly = round === 0 ? 0 : 1 + Math.floor(random() * messages);
      const count = await run(dataDir, 0, deadly);
      if (count === undefined) report.kills++;
      if (count === undefined && (await run(dataDir, 1, 0)) === undefined) throw new Error('The process was killed by someone else.');
      messages = count ?? messages;
      report.faults.push(...(await findFaults(dataDir)).map((fault) => `from ${from}, killed before message ${deadly}: ${fault}`));
      rmSync(dataDir, { recursive: true });
    }
    return report;
  } finally {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function startMarket(): Promise<BybitServer> {
  const flat = (time: number): Candle => ({ time, open: PRICE, high: PRICE, low: PRICE, close: PRICE, volume: 0 });
  const list = (from: number, length: number) =>
    Array.from({ length: Math.floor((T0 + HOUR - from) / length) }, (_, index) => flat(from + index * length));
  const candles = list(T0 - 100 * DAY, HOUR);
  const marks = list(T0 - 3 * HOUR, MINUTE);
  return startBybit({ now: () => T0 + MINUTE, price: () => PRICE, candles: () => candles, marks: () => marks });
}

/** Creates a database whose bots each have an open position. */
async function plant(dataDir: string, url: string, feed: Feed): Promise<void> {
  mkdirSync(dataDir);
  copyDatabase(dataDir);
  const { db, close } = await openDb({ databaseUrl: undefined, dataDir });
  const clock = () => T0 + 30 * SECOND;
  const config = readConfig({ DATA_DIR: dataDir, EXCHANGE_BASE_URL: url, PAPER_FEED: feed });
  const { exchange, btc } = await openExchange(config, { db, clock, mayChangeFeed: true });
  const { engine } = createRig({ db, candles: readBundledCandles().slice(0, 10), start: 10, clock, wrap: () => exchange });
  const now = exchange.feed.now();
  const price = btc?.priceAt(now) ?? PRICE;
  const order = { direction: 'buy', quantity: 0.1, stop: Math.round(price * 0.96), target: Math.round(price * 1.3) } as const;
  for (const botId of await plantBots(db, BOTS, { positionSize: 10_000 })) {
    const account = exchange.account(KEYS, { userId: 'unknown', botId, capital: 10_000 });
    await account.prepare(15);
    await db.insert(botOrders).values({ clientId: botId, botId, candle: now, purpose: 'entry', state: 'accepted', fence: 0, ...order });
    await account.submit({ clientId: botId, type: 'market', ...order });
    await engine.runBotCycle(botId);
    if (!(await account.position())) throw new Error('The bot has no position.');
  }
  await exchange.close();
  await close();
}

/** Runs the program. Resolves with the number of its messages to the database; undefined if it was killed. */
async function start(program: string, orders: object): Promise<number | undefined> {
  const child = spawn(process.execPath, [program, JSON.stringify(orders)], { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk;
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  if (signal === 'SIGKILL') return undefined;
  if (code !== 0) throw new Error(`The process ended with ${code ?? signal}.`);
  return Number(said);
}

async function findFaults(dataDir: string): Promise<string[]> {
  const { queue, close } = await openDb({ databaseUrl: undefined, dataDir });
  if (!('pglite' in queue)) throw new Error('The bots of this test trade in an embedded database.');
  try {
    const faults: string[] = [];
    for (const [name, query] of Object.entries(FAULTS)) {
      const { rows } = await queue.pglite.query(query);
      if (rows.length > 0) faults.push(`${rows.length} × ${name}`);
    }
    return faults;
  } finally {
    await close();
  }
}
