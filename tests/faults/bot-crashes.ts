import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRandom } from '#domain/random.ts';
import { openDb } from '#server/db/open.ts';
import { readBundledCandles } from '#server/ports/market-data/bundled.ts';
import { BOT_FAULTS, PAPER_FAULTS } from '../support/bots/bot-faults.ts';
import { plantBots } from '../support/bots/bot-rig.ts';
import { bundleProgram } from '../support/processes/bundle.mjs';
import { copyDatabase } from '../support/server/empty-database.ts';

/** A busy range of the bundled candles, after enough candles for the strategy's warm-up. */
export const START = 6300;
const CANDLES = 200;
export const BOTS = 3;
/** Kills of one run over the candles. */
const KILLS_A_ROUND = 50;
/** Probability of a kill before each message to the database. */
const DEADLY = 1 / 400;

export interface BotCrashReport {
  kills: number;
  /** Orders that the exchange filled in the runs with kills. */
  orders: number;
  /** Positions that the bots closed in these runs because their user asked. */
  closes: number;
  /** Descriptions of broken invariants. */
  faults: string[];
}

/** Results that must not depend on the number of kills. Sums of fractions depend on their order in the last digit. */
const RESULTS = `
  select bots.id, round(equity::numeric, 6) as equity, position -> 'entryPrice' as entry,
    round((book ->> 'balance')::numeric, 6) as balance,
    (select json_agg(json_build_array(side, quantity, entry_price, exit_price, round(pnl::numeric, 6), reason) order by entry_id)
      from bot_trades where bot_id = bots.id) as trades
  from bots left join paper_accounts on bot_id = bots.id order by bots.id`;

/** An exchange outside the process that is killed. */
export interface CrashStage {
  /** Where the bots' process finds it; part of that process's arguments. */
  told: object;
  /** Returns differences between the exchange and the bots' journal. */
  faults(orders: readonly JournalRow[], held: readonly HeldRow[]): string[];
  /** Orders that the exchange has filled. */
  filled(): number;
  close(): Promise<void>;
}
export type JournalRow = { client_id: string; state: string; filled: number };
export type HeldRow = { place: number; position: { side: string; quantity: number; stop: number | null } | null };

interface Options {
  kills: number;
  seed: number;
  candles?: number;
  /** Defaults to the paper exchange. With `storm`, `random` decides which calls fail. */
  openStage?: (storm: boolean, random: () => number) => Promise<CrashStage>;
  /** Whether runs with kills must end with the results of one without. Default: they must. */
  keepsResults?: boolean;
  /** Rounds that run at once, because a process mostly waits for disk and start. */
  atOnce?: number;
  /** Hears what the rounds so far have shown, so that a run of an hour that is stopped still tells something. */
  onRound?: (report: BotCrashReport) => void;
}

/**
 * Runs bots over real candles in a process that is killed (kill -9) again and again at moments drawn from `seed`, and first without
 * kills if it `keepsResults`. Then checks for duplicate orders, positions without a stop, differences between journal and exchange,
 * and different results.
 */
export async function runBotCrashes(options: Options): Promise<BotCrashReport> {
  const { kills, seed, candles = CANDLES, openStage, keepsResults = true, atOnce = 1, onRound } = options;
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-bots-'));
  const end = START + candles;
  const report: BotCrashReport = { kills: 0, orders: 0, closes: 0, faults: [] };

  async function run(name: string, most: number, random: () => number): Promise<{ results: string; lives: number }> {
    const dataDir = copied(folder, name);
    const stage = await openStage?.(most > 0, random);
    try {
      const lives = await live({ program, end, random, most, told: stage?.told }, dataDir);
      const found = await read(dataDir, stage);
      report.kills += lives;
      report.orders += most > 0 ? found.orders : 0;
      report.closes += most > 0 ? found.closes : 0;
      report.faults.push(...found.faults);
      return { results: found.results, lives };
    } finally {
      await stage?.close();
      rmSync(dataDir, { recursive: true });
    }
  }

  const program = await bundleProgram('tests/faults/bot-trader.ts');
  try {
    await plant(join(folder, 'planted'), openStage !== undefined);
    const expected = keepsResults ? await run('calm', 0, () => 0) : undefined;
    let rounds = 0;
    let left = kills;
    async function runRounds(): Promise<void> {
      while (left > 0) {
        const most = Math.min(KILLS_A_ROUND, left);
        const round = ++rounds;
        left -= most;
        const { results, lives } = await run(`round-${round}`, most, createRandom(1000 * seed + round));
        left += most - lives;
        if (expected && results !== expected.results)
          report.faults.push(`round ${round} came out otherwise: ${results} instead of ${expected.results}`);
        onRound?.(report);
      }
    }
    await Promise.all(Array.from({ length: atOnce }, runRounds));
    return report;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the keys of the bots on an outside exchange, by index. */
export const keysOf = (place: number) => ({ key: `key-bot-${place}`, secret: `secret-bot-${place}` });

/** Creates a database with bots that are not set up yet. */
async function plant(dataDir: string, outside: boolean): Promise<void> {
  mkdirSync(dataDir);
  copyDatabase(dataDir);
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
  /** Closed candles at the end. */
  end: number;
  random: () => number;
  /** Largest number of kills. */
  most: number;
  told: object | undefined;
}

/** Runs all candles, restarting the process after each kill. Resolves with the number of kills. */
async function live({ program, end, random, most, told }: Lives, dataDir: string): Promise<number> {
  let start = START;
  for (let life = 0; ; life++) {
    // After the last candle there is nothing left to interrupt.
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

interface Found extends Pick<BotCrashReport, 'faults' | 'orders' | 'closes'> {
  results: string;
}

async function read(dataDir: string, stage: CrashStage | undefined): Promise<Found> {
  const { queue, close } = await openDb({ databaseUrl: undefined, dataDir });
  if (!('pglite' in queue)) throw new Error('The bots of this test trade in an embedded database.');
  try {
    const faults: string[] = [];
    for (const [name, query] of Object.entries(stage ? BOT_FAULTS : { ...BOT_FAULTS, ...PAPER_FAULTS })) {
      const { rows } = await queue.pglite.query(query);
      if (rows.length > 0) faults.push(`${rows.length} × ${name}: ${JSON.stringify(rows)}`);
    }
    const { rows } = await queue.pglite.query(RESULTS);
    const asked = await queue.pglite.query<{ count: number }>(`select count(*)::int as count from bot_trades where reason = 'on request'`);
    const closes = asked.rows[0]?.count ?? 0;
    if (stage) {
      const journal = await queue.pglite.query<JournalRow>('select client_id, state, coalesce(filled, 0) as filled from bot_orders');
      const held = await queue.pglite.query<HeldRow>(
        'select (row_number() over (order by created_at))::int - 1 as place, position from bots',
      );
      faults.push(...stage.faults(journal.rows, held.rows));
      return { faults, results: JSON.stringify(rows), orders: stage.filled(), closes };
    }
    const count = await queue.pglite.query<{ count: number }>(`select count(*)::int as count from paper_orders`);
    return { faults, results: JSON.stringify(rows), orders: count.rows[0]?.count ?? 0, closes };
  } finally {
    await close();
  }
}
