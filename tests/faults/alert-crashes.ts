import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRandom } from '#domain/random.ts';
import { type Db, openDb } from '#server/db/open.ts';
import { alertFirings } from '#server/db/schema/alerts.ts';
import { notifications } from '#server/db/schema/notifications.ts';
import { users } from '#server/db/schema/users.ts';
import { createAlerts } from '#server/modules/alerts/service.ts';
import { bundleProgram } from '../support/processes/bundle.mjs';
import { copyDatabase } from '../support/server/empty-database.ts';
import { BEGIN, COINS, drawPrices, FIRST_PRICE, STEP, steppedMarket } from './alert-prices.ts';

/** Alerts of each coin, and steps of a life that is not killed and between two lives. */
const ALERTS = 18;
const LIFE = 25;
const GAP = 20;

export interface AlertCrashReport {
  kills: number;
  /** Firings of all alerts. */
  fired: number;
  /** Descriptions of broken invariants. */
  faults: string[];
}

interface Planted {
  id: string;
  coin: number;
  kind: 'above' | 'below';
  level: number;
  rearms: boolean;
}

/** Kills a process that checks price alerts (kill -9) at moments drawn from `seed`, and checks that each crossing fired once. */
export async function runAlertCrashes({ kills, seed }: { kills: number; seed: number }): Promise<AlertCrashReport> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tidemark-alerts-'));
  const random = createRandom(seed);
  // Not every life is killed: some send fewer messages than the longest one.
  const steps = 2 * (kills + 2) * (LIFE + GAP);
  const prices = Array.from({ length: COINS }, (_, index) => drawPrices(seed, index + 1, steps));
  try {
    copyDatabase(dataDir);
    const program = await bundleProgram('tests/faults/alert-checker.ts');
    const planted = await plant(dataDir, prices);
    const seen = { upTo: 1, messages: 0 };
    let killed = 0;
    for (let from = 1; killed <= kills && from + LIFE < steps; from = seen.upTo + GAP) {
      const deadly = killed === kills || seen.messages === 0 ? 0 : 1 + Math.floor(random() * seen.messages);
      const life = await run(program, { dataDir, seed, from, to: from + LIFE, deadly });
      if (life.isKilled) killed++;
      else if (deadly === 0 && killed === kills) return { kills: killed, ...(await judge(dataDir, { planted, prices, end: life.step })) };
      seen.upTo = life.step;
      seen.messages = Math.max(seen.messages, life.messages);
    }
    throw new Error(`Only ${killed} of ${kills} kills happened.`);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Creates a user with alerts around the first price. */
async function plant(dataDir: string, prices: readonly (readonly number[])[]): Promise<Planted[]> {
  const { db, close } = await openDb({ databaseUrl: undefined, dataDir });
  const clock = () => BEGIN;
  const market = steppedMarket(prices, () => 0);
  const alerts = createAlerts({ db, clock, market: { ...market, known: () => [] }, watchedBy: async () => [] });
  const planted: Planted[] = [];
  for (let coin = 1; coin <= COINS; coin++) {
    const [user] = await db
      .insert(users)
      .values({ email: `${coin}@example.com`, firstName: 'Ada', lastName: 'Byron', passwordHash: 'x', verifiedAt: new Date(BEGIN) })
      .returning();
    for (let number = 0; number < ALERTS; number++) {
      const kind = number % 2 === 0 ? 'above' : 'below';
      const distance = 0.3 + 0.7 * Math.floor(number / 2);
      const price = FIRST_PRICE + (kind === 'above' ? distance : -distance);
      const rearms = number % 3 === 0;
      const id = randomUUID();
      const shared = { note: '', rearms, expires_at: null, paused: false, level_name: null };
      const alert = { kind, coin: { id: coin, name: `Coin ${coin}`, symbol: `C${coin}` }, price, ...shared } as const;
      await db.transaction((tx) => alerts.put(tx, user?.id ?? '', id, { alert, seen: FIRST_PRICE }));
      planted.push({ id, coin, kind, level: price, rearms });
    }
  }
  await close();
  return planted;
}

/** Runs the program. Resolves with the step that it reached, and its messages to the database before that. */
async function run(program: string, orders: object): Promise<{ isKilled: boolean; step: number; messages: number }> {
  const child = spawn(process.execPath, [program, JSON.stringify(orders)], { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk;
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  if (signal !== 'SIGKILL' && code !== 0) throw new Error(`The process ended with ${code ?? signal}.`);
  const [step = 0, messages = 0] = said.trim().split('\n').at(-1)?.split(' ').map(Number) ?? [];
  return { isKilled: signal === 'SIGKILL', step, messages };
}

interface Outcome {
  planted: readonly Planted[];
  prices: readonly (readonly number[])[];
  /** The step after the last one that was checked. */
  end: number;
}

/** Compares firings with the prices of all steps, also of those that no process saw. */
async function judge(dataDir: string, { planted, prices, end }: Outcome): Promise<Omit<AlertCrashReport, 'kills'>> {
  const { db, close } = await openDb({ databaseUrl: undefined, dataDir });
  try {
    const firings = await db.select().from(alertFirings);
    const faults = planted.flatMap((alert) => {
      const list = (prices[alert.coin - 1] ?? []).slice(0, end);
      const times = firings.filter(({ alertId }) => alertId === alert.id).map(({ at }) => at.getTime());
      return faultsOf(
        alert,
        list,
        times.sort((a, b) => a - b),
      ).map((fault) => `${alert.kind} ${alert.level} of coin ${alert.coin}: ${fault}`);
    });
    return {
      fired: firings.length,
      faults: [
        ...faults,
        ...(await untold(
          db,
          firings.map(({ id, coinId }) => ({ id, coinId })),
        )),
      ],
    };
  } finally {
    await close();
  }
}

/** @param times when the alert fired, ms, in order */
function faultsOf({ kind, level, rearms }: Planted, prices: readonly number[], times: readonly number[]): string[] {
  const isPast = (price: number): boolean => (kind === 'above' ? price >= level : price <= level);
  const isBack = (price: number): boolean => (kind === 'above' ? price <= level * 0.995 : price >= level * 1.005);
  const hasCrossed = prices.some(isPast);
  const faults: string[] = [];
  if (hasCrossed && times.length === 0) faults.push('crossed and did not fire');
  if (!hasCrossed && times.length > 0) faults.push('fired without a crossing');
  if (!rearms && times.length > 1) faults.push(`fired ${times.length} times`);
  for (const [index, time] of times.entries()) {
    const before = times[index - 1];
    // A firing by a candle has the time of its end: the price left the level since the hour before it.
    const between = before === undefined ? [] : prices.slice(Math.max(0, stepOf(before) - 360), stepOf(time) + 1);
    if (before !== undefined && !between.some(isBack)) faults.push('fired twice for one crossing');
  }
  return faults;
}

const stepOf = (time: number): number => Math.round((time - BEGIN) / STEP);

async function untold(db: Db, firings: readonly { id: string; coinId: number }[]): Promise<string[]> {
  const links = (await db.select({ link: notifications.link }).from(notifications)).map(({ link }) => link);
  const expected = firings.map(({ id, coinId }) => `/crypto/details/${coinId}?alert=${id}`);
  const isSame = JSON.stringify(links.sort()) === JSON.stringify(expected.sort());
  return isSame ? [] : [`${firings.length} firings have ${links.length} notifications`];
}
