import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDb } from '#server/db/open.ts';
import { readBundledCandles } from '#server/ports/market-data/bundled.ts';
import { plantBots } from '../support/bots/bot-rig.ts';
import { bundleProgram } from '../support/processes/bundle.mjs';
import { createRandom } from './random.ts';

/** A busy stretch of the bundled candles, after enough of them for the strategy. */
export const START = 6300;
const CANDLES = 320;
export const BOTS = 3;
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
  'orders of which nobody knows the end': `select client_id from bot_orders where state in ('intended', 'accepted')`,
  'open trades without a position': `
    select bots.id from bot_trades join bots on bots.id = bot_id where closed_at is null and position is null`,
};

/** And what must not be between them and the paper exchange, which is in the same database. */
const PAPER_FAULTS = {
  'orders that were sent and are not in the journal': `
    select client_id from paper_orders where client_id not in (select client_id from bot_orders)`,
  'orders of which journal and exchange do not say the same': `
    select client_id from bot_orders full join paper_orders using (client_id)
    where (bot_orders.state = 'filled' and "order" ->> 'state' is distinct from 'filled')
      or ("order" ->> 'state' = 'filled' and bot_orders.state is distinct from 'filled')
      or bot_orders.filled is distinct from coalesce(("order" ->> 'filled')::float8, 0)`,
  'positions without a stop': `
    select bot_id from paper_accounts where book -> 'position' <> 'null' and book -> 'position' -> 'stop' = 'null'`,
  'positions of which journal and exchange do not say the same': `
    select id from bots left join paper_accounts on bot_id = id
    where (position is null) <> (book is null or book -> 'position' = 'null')`,
};

/** What has to come out the same, however often a process was killed. */
const RESULTS = `
  select bots.id, equity, position -> 'entryPrice' as entry, book -> 'balance' as balance,
    (select json_agg(json_build_array(side, quantity, entry_price, exit_price, round(pnl::numeric, 6), reason) order by entry_id)
      from bot_trades where bot_id = bots.id) as trades
  from bots left join paper_accounts on bot_id = bots.id order by bots.id`;

/** An exchange outside of the process that is killed. */
export interface CrashStage {
  /** Where the bots' process finds it; part of what that is told. */
  told: object;
  /** What must not be between it and the bots' journal. */
  faults(orders: readonly JournalRow[], held: readonly HeldRow[]): string[];
  /** Orders that it has filled. */
  filled(): number;
  close(): Promise<void>;
}
export type JournalRow = { client_id: string; state: string; filled: number };
export type HeldRow = { place: number; position: { side: string; quantity: number; stop: number | null } | null };

interface Options {
  kills: number;
  seed: number;
  candles?: number;
  /** By default bots trade on paper. `storm`: what goes wrong there may, as `random` has it. */
  openStage?: (storm: boolean, random: () => number) => Promise<CrashStage>;
}

/**
 * Lets bots trade a stretch of real candles in a process that is killed (kill -9) again and again at moments drawn from
 * `seed`, and once without. Then looks for doubled orders, positions without a stop, a journal and an exchange that do not
 * agree, and a result that differs.
 */
export async function runBotCrashes({ kills, seed, candles = CANDLES, openStage }: Options): Promise<BotCrashReport> {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-bots-'));
  const random = createRandom(seed);
  const end = START + candles;
  const report: BotCrashReport = { kills: 0, orders: 0, faults: [] };

  async function run(name: string, most: number, chance: () => number) {
    const dataDir = copied(folder, name);
    const stage = await openStage?.(most > 0, chance);
    try {
      const lives = await live({ program, end, random: chance, most, told: stage?.told }, dataDir);
      return { kills: lives, ...(await read(dataDir, stage)) };
    } finally {
      await stage?.close();
      rmSync(dataDir, { recursive: true });
    }
  }

  const program = await bundleProgram('tests/faults/bot-trader.ts');
  try {
    await plant(join(folder, 'planted'), openStage !== undefined);
    const calm = await run('calm', 0, () => 0);
    report.orders = calm.orders;
    report.faults.push(...calm.faults);
    for (let round = 1; report.kills < kills; round++) {
      const stormy = await run(`round-${round}`, kills - report.kills, random);
      report.kills += stormy.kills;
      report.faults.push(...stormy.faults);
      if (stormy.results !== calm.results)
        report.faults.push(`round ${round} came out otherwise: ${stormy.results} instead of ${calm.results}`);
    }
    return report;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The keys of the bots on an exchange outside, by their place. */
export const keysOf = (place: number) => ({ key: `key-bot-${place}`, secret: `secret-bot-${place}` });

/** A database with bots that wait to be set up. */
async function plant(dataDir: string, outside: boolean): Promise<void> {
  mkdirSync(dataDir);
  const { db, close } = await openDb({ databaseUrl: undefined, dataDir });
  if (!outside) await plantBots(db, BOTS);
  else
    for (let place = 0; place < BOTS; place++)
      await plantBots(db, 1, { now: (readBundledCandles()[START]?.time ?? 0) + place, exchange: 'bybit', keys: keysOf(place) });
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
  told: object | undefined;
}

/** One run from the first candle to the last, through as many lives as it takes. Resolves to the number of kills. */
async function live({ program, end, random, most, told }: Lives, dataDir: string): Promise<number> {
  let start = START;
  for (let life = 0; ; life++) {
    // Once the last candle is over nothing happens that is worth a kill.
    const deadly = life < most && start < end ? DEADLY : 0;
    const orders = { dataDir, start, end, life, seed: Math.floor(random() * 2 ** 32), deadly, ...told };
    const child = spawn(process.execPath, [program, JSON.stringify(orders)], { stdio: ['ignore', 'pipe', 'inherit'] });
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk;
    });
    const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
    start = Number(said.trim().split('\n').at(-1) || start);
    if (code === 0) return life;
    if (signal !== 'SIGKILL') throw new Error(`The trader ended with ${code ?? signal}.`);
  }
}

async function read(dataDir: string, stage: CrashStage | undefined): Promise<{ faults: string[]; results: string; orders: number }> {
  const { queue, close } = await openDb({ databaseUrl: undefined, dataDir });
  if (!('pglite' in queue)) throw new Error('The bots of this test trade in an embedded database.');
  try {
    const faults: string[] = [];
    for (const [name, query] of Object.entries(stage ? FAULTS : { ...FAULTS, ...PAPER_FAULTS })) {
      const { rows } = await queue.pglite.query(query);
      if (rows.length > 0) faults.push(`${rows.length} × ${name}: ${JSON.stringify(rows)}`);
    }
    const { rows } = await queue.pglite.query(RESULTS);
    if (stage) {
      const journal = await queue.pglite.query<JournalRow>('select client_id, state, coalesce(filled, 0) as filled from bot_orders');
      const held = await queue.pglite.query<HeldRow>(
        'select (row_number() over (order by created_at))::int - 1 as place, position from bots',
      );
      faults.push(...stage.faults(journal.rows, held.rows));
      return { faults, results: JSON.stringify(rows), orders: stage.filled() };
    }
    const count = await queue.pglite.query<{ count: number }>(`select count(*)::int as count from paper_orders`);
    return { faults, results: JSON.stringify(rows), orders: count.rows[0]?.count ?? 0 };
  } finally {
    await close();
  }
}
