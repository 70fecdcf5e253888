import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDb } from '../../src/server/db/open';
import { plantBots } from '../support/bot-rig';
import { bundleProgram } from '../support/bundle.mjs';
import { createRandom } from './random';

/** A busy stretch of the bundled candles, after enough of them for the strategy. */
const START = 6300;
const CANDLES = 320;
const BOTS = 3;
/** How likely a kill is before each message to the database. */
const DEADLY = 1 / 120;

export interface BotCrashReport {
  kills: number;
  /** Orders that the exchange has filled. */
  orders: number;
  /** What must not be, in words. */
  faults: string[];
}

/** Each finds what must not be in a database of bots that have traded. */
const FAULTS = {
  'orders of one bot for one candle': `
    select bot_id from bot_orders where candle is not null and state <> 'cancelled' group by bot_id, candle having count(*) > 1`,
  'orders that were sent and are not in the journal': `
    select client_id from paper_orders where client_id not in (select client_id from bot_orders)`,
  'orders of which journal and exchange do not say the same': `
    select client_id from bot_orders full join paper_orders using (client_id)
    where (bot_orders.state = 'filled' and "order" ->> 'state' is distinct from 'filled')
      or ("order" ->> 'state' = 'filled' and bot_orders.state is distinct from 'filled')
      or bot_orders.filled is distinct from coalesce(("order" ->> 'filled')::float8, 0)`,
  'orders of which nobody knows the end': `select client_id from bot_orders where state in ('intended', 'accepted')`,
  'positions without a stop': `
    select bot_id from paper_accounts where book -> 'position' <> 'null' and book -> 'position' -> 'stop' = 'null'`,
  'positions of which journal and exchange do not say the same': `
    select id from bots left join paper_accounts on bot_id = id
    where (position is null) <> (book is null or book -> 'position' = 'null')`,
  'open trades without a position': `
    select bots.id from bot_trades join bots on bots.id = bot_id where closed_at is null and position is null`,
};

/** What has to come out the same, however often a process was killed. */
const RESULTS = `
  select bots.id, equity, position -> 'entryPrice' as entry, book -> 'balance' as balance,
    (select json_agg(json_build_array(side, quantity, entry_price, exit_price, round(pnl::numeric, 6), reason) order by entry_id)
      from bot_trades where bot_id = bots.id) as trades
  from bots left join paper_accounts on bot_id = bots.id order by bots.id`;

/**
 * Lets bots trade a stretch of real candles in a process that is killed (kill -9) again and again at moments drawn from
 * `seed`, and once without. Then looks for doubled orders, positions without a stop, a journal and an exchange that do not
 * agree, and a result that differs.
 */
export async function runBotCrashes({
  kills,
  seed,
  candles = CANDLES,
}: {
  kills: number;
  seed: number;
  candles?: number;
}): Promise<BotCrashReport> {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-bots-'));
  const random = createRandom(seed);
  const end = START + candles;
  const report: BotCrashReport = { kills: 0, orders: 0, faults: [] };
  try {
    const program = await bundleProgram('tests/faults/bot-trader.ts');
    await plant(join(folder, 'planted'));
    const calm = await live({ program, end, random: () => 0, most: 0 }, copied(folder, 'calm'));
    const wanted = await read(calm.dataDir);
    report.orders = wanted.orders;
    for (let round = 1; report.kills < kills; round++) {
      const stormy = await live({ program, end, random, most: kills - report.kills }, copied(folder, `round-${round}`));
      report.kills += stormy.kills;
      const got = await read(stormy.dataDir);
      report.faults.push(...got.faults);
      if (got.results !== wanted.results)
        report.faults.push(`round ${round} came out otherwise: ${got.results} instead of ${wanted.results}`);
      rmSync(stormy.dataDir, { recursive: true });
    }
    return report;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A database with bots that wait to be set up. */
async function plant(dataDir: string): Promise<void> {
  mkdirSync(dataDir);
  const { db, close } = await openDb({ databaseUrl: undefined, dataDir });
  await plantBots(db, BOTS);
  await close();
}

function copied(folder: string, name: string): string {
  const dataDir = join(folder, name);
  cpSync(join(folder, 'planted'), dataDir, { recursive: true });
  return dataDir;
}

interface Lives {
  program: string;
  /** Candles that are closed when it is over. */
  end: number;
  random: () => number;
  /** Kills, after which it is left alone. */
  most: number;
}

/** One run from the first candle to the last, through as many lives as it takes. */
async function live({ program, end, random, most }: Lives, dataDir: string): Promise<{ dataDir: string; kills: number }> {
  let start = START;
  for (let life = 0; ; life++) {
    const orders = { dataDir, start, end, life, seed: Math.floor(random() * 2 ** 32), deadly: life < most ? DEADLY : 0 };
    const child = spawn(process.execPath, [program, JSON.stringify(orders)], { stdio: ['ignore', 'pipe', 'inherit'] });
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk;
    });
    const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
    start = Number(said.trim().split('\n').at(-1) || start);
    if (code === 0) return { dataDir, kills: life };
    if (signal !== 'SIGKILL') throw new Error(`The trader ended with ${code ?? signal}.`);
  }
}

async function read(dataDir: string): Promise<{ faults: string[]; results: string; orders: number }> {
  const { queue, close } = await openDb({ databaseUrl: undefined, dataDir });
  if (!('pglite' in queue)) throw new Error('The bots of this test trade in an embedded database.');
  try {
    const faults: string[] = [];
    for (const [name, query] of Object.entries(FAULTS)) {
      const { rows } = await queue.pglite.query(query);
      if (rows.length > 0) faults.push(`${rows.length} × ${name}: ${JSON.stringify(rows)}`);
    }
    const { rows } = await queue.pglite.query(RESULTS);
    const count = await queue.pglite.query<{ count: number }>(`select count(*)::int as count from paper_orders`);
    return { faults, results: JSON.stringify(rows), orders: count.rows[0]?.count ?? 0 };
  } finally {
    await close();
  }
}
