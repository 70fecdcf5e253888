import { sql } from 'drizzle-orm';
import { MINUTE, SECOND } from '#domain/clock.ts';
import { type Db, openDb } from '#server/db/open.ts';
import { createLeadership } from '#server/lifecycle/leadership.ts';
import { createAlertChecker } from '#server/modules/alerts/check/checker.ts';
import { createNotifications } from '#server/modules/notifications/service.ts';
import { movingMarket } from '#tests/support/market/moving-market.ts';
import { startPostgres } from '#tests/support/processes/postgres.ts';
import { openTestDb } from '#tests/support/server/test-db.ts';
import { idFrom } from '#tests/support/statements/sql-pieces.ts';
import { median } from '../median.ts';

const USERS = 1_000;
/** Coins of the market, and those with alerts. */
const COINS = 1_000;
const ALERTED = 500;
const ROUNDS = 25;
const TICK = 5 * SECOND;
/** Allowed time of a pass over 1,000 changed coins, ms, and allowed ratio of passes over ten times the alerts. */
const LIMIT = 50;
const MAX_RATIO = 1.5;

/** Stores alerts on `ALERTED` coins, evenly spread. None fires at a price of 100. */
async function fill(db: Db, alerts: number): Promise<void> {
  const user = (n: string) => idFrom(`'user ' || ${n}`);
  const some = `generate_series(1, ${alerts}) n`;
  await db.execute(sql.raw(`truncate alert_watches, alert_prices, alerts, users cascade`));
  await db.execute(
    sql.raw(`insert into users (id, email, first_name, last_name, password_hash)
    select ${user('n')}, n || '@example.com', '', '', 'x' from generate_series(1, ${USERS}) n`),
  );
  await db.execute(
    sql.raw(`insert into alerts (user_id, id, kind, coin_id, coin_name, coin_symbol, level, rearms)
    select ${user(`n % ${USERS} + 1`)}, ${idFrom('n::text')}, 'above', n % ${ALERTED} + 1, 'Coin', 'C', 200 + n, false from ${some}`),
  );
  await db.execute(
    sql.raw(`insert into alert_watches (user_id, alert_id, coin_id, state, move, trigger, since)
    select user_id, id, coin_id, 'armed', (array['price up', '1h up', '24h up', '7d up'])[level::int % 4 + 1], level, now() - interval '1 hour' from alerts`),
  );
  await db.execute(
    sql.raw(`insert into alert_prices (coin_id, seen_until, seen_from, changed_at)
    select n, now(), now(), now() - interval '1 hour' from generate_series(1, ${ALERTED}) n`),
  );
  await db.execute(sql.raw('analyze'));
}

/** Prepares a check of the alerts. Returns a function that measures an update in which this many coins change, ms. */
function prepare(db: Db): { passMs: (changed: number) => Promise<number>; close: () => Promise<void> } {
  let now = Date.now();
  let price = 100;
  const clock = () => now;
  const moving = movingMarket(clock);
  const show = (ids: number) => {
    const changes = { percent_change_1h: price / 100, percent_change_24h: price / 50, percent_change_7d: price / 20 };
    moving.move(Object.fromEntries(Array.from({ length: ids }, (_, id) => [id + 1, { price, ...changes }])));
  };
  const { notifyAll } = createNotifications({ db, clock });
  const report = (error: unknown) => {
    throw error;
  };
  const leadership = createLeadership(db, { name: 'alerts', lease: MINUTE });
  const checker = createAlertChecker({
    db,
    clock,
    market: { ...moving, history: undefined },
    notifyAll,
    everyMs: TICK,
    report,
    leadership,
  });
  show(COINS);
  return {
    async passMs(changed) {
      now += TICK;
      price += 0.01;
      show(changed);
      const began = performance.now();
      await checker.update();
      return performance.now() - began;
    },
    close: checker.close,
  };
}

/** Measures passes over few and many alerts in turn, so that a busy machine slows both. */
async function measure(name: string, { few, many }: { few: Db; many: Db }): Promise<{ lines: string[]; failures: string[] }> {
  await fill(few, 10_000);
  await fill(many, 100_000);
  const [ofFew, ofMany] = [prepare(few), prepare(many)];
  const times = { few: [] as number[], many: [] as number[], small: [] as number[] };
  for (let round = 0; round < ROUNDS; round++) {
    times.few.push(await ofFew.passMs(COINS));
    times.many.push(await ofMany.passMs(COINS));
    times.small.push(await ofMany.passMs(COINS / 10));
  }
  await ofFew.close();
  await ofMany.close();
  const [fewMs, manyMs, smallMs] = [median(times.few), median(times.many), median(times.small)];
  const ratio = manyMs / fewMs;
  const line =
    `Price alerts on ${name}: a pass over ${COINS} changed coins with 100,000 alerts on ${ALERTED} takes ${manyMs.toFixed(1)} ms (at most ` +
    `${LIMIT}), with 10,000 alerts ${fewMs.toFixed(1)} ms (ratio ${ratio.toFixed(2)}, at most ${MAX_RATIO}), over ${COINS / 10} coins ${smallMs.toFixed(1)} ms`;
  const failures = [
    ...(manyMs > LIMIT ? [`${name}: over ${LIMIT} ms`] : []),
    ...(ratio > MAX_RATIO ? [`${name}: grows with the alerts`] : []),
  ];
  return { lines: [line], failures };
}

/** Measures checks of price alerts on both databases. */
export async function alertsBench(): Promise<{ lines: string[]; failures: string[] }> {
  const [few, many] = [await openTestDb(), await openTestDb()];
  const results = [await measure('the embedded database', { few: few.db, many: many.db })];
  await few.close();
  await many.close();
  const postgres = await startPostgres();
  if (postgres) {
    const here = await openDb({ databaseUrl: postgres.url, dataDir: '' });
    await here.db.execute(sql.raw('create database other'));
    const there = await openDb({ databaseUrl: Object.assign(new URL(postgres.url), { pathname: '/other' }).href, dataDir: '' });
    results.push(await measure('PostgreSQL', { few: here.db, many: there.db }));
    await here.close();
    await there.close();
    await postgres.stop();
  }
  return { lines: results.flatMap(({ lines }) => lines), failures: results.flatMap(({ failures }) => failures) };
}
