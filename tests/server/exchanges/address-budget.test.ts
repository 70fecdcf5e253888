import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE, SECOND } from '#domain/clock.ts';
import { budgets } from '#server/db/schema/requests.ts';
import { onMeasured } from '#server/metrics/measurements.ts';
import { createAddressBudget, type Urgency } from '#server/ports/exchange/address-budget.ts';
import { openTestDb, type TestDb } from '#tests/support/server/test-db.ts';

const SPAN = 20;
const T0 = Date.UTC(2026, 0, 1);

let opened: TestDb;
let now: number;
beforeAll(async () => {
  opened = await openTestDb();
});
beforeEach(async () => {
  now = T0;
  await opened.db.delete(budgets);
});
afterAll(() => opened.close());

/** The budget of one process. `ahead` is how far its clock is ahead, ms. */
const open = (max = 100, ahead = 0, shared?: { span: number }) =>
  createAddressBudget({
    db: opened.db,
    clock: () => now + ahead,
    isAlone: shared === undefined,
    name: `requests:${expect.getState().currentTestName}`,
    limit: { max, span: SPAN, ...shared },
  });

type Process = ReturnType<typeof open>;

/** Asks many times. `granted` counts the requests that may be sent. */
function ask(process: Process, count: number, urgency: Urgency) {
  const tally = { granted: 0, refusals: [] as string[] };
  const all = Promise.all(
    Array.from({ length: count }, () =>
      process.take(urgency).then(
        () => void tally.granted++,
        ({ trouble, message }) => void tally.refusals.push(`${trouble}: ${message}`),
      ),
    ),
  );
  return { tally, all };
}

/** Waits until these have asked the database and wait for the next window: none is granted while it is read 40 times. */
async function settle(...asked: ReturnType<typeof ask>[]): Promise<void> {
  let before: number;
  do {
    before = grantedTo(asked);
    for (let turn = 0; turn < 40; turn++) {
      await opened.db.select().from(budgets);
      await nextTurn();
    }
  } while (grantedTo(asked) > before);
}

const grantedTo = (asked: readonly ReturnType<typeof ask>[]) => asked.reduce((sum, { tally }) => sum + tally.granted, 0);

describe('an address', () => {
  test('has one budget for all processes, in every window', async () => {
    const measured: { left: number; max: number }[] = [];
    const end = onMeasured('exchangeBudget', (what) => measured.push(what));
    const [one, two] = [ask(open(), 80, 'protect'), ask(open(), 80, 'protect')];
    await settle(one, two);
    end();
    expect(grantedTo([one, two])).toBe(100);
    expect(measured.at(-1)).toMatchObject({ left: 0, max: 100 });
    now += SPAN;
    await Promise.all([one.all, two.all]);
    expect(grantedTo([one, two])).toBe(160);
  });

  test('keeps room for more urgent requests of any process', async () => {
    const looks = ask(open(), 100, 'look');
    await settle(looks);
    expect(looks.tally.granted).toBe(92);
    const entries = ask(open(), 10, 'entry');
    const exits = ask(open(), 10, 'exit');
    const stops = ask(open(), 4, 'protect');
    await stops.all;
    await settle(entries, exits);
    expect([entries.tally.granted, stops.tally.granted]).toEqual([0, 4]);
    expect(exits.tally.granted).toBeLessThanOrEqual(4);
    now += SPAN;
    await Promise.all([looks.all, entries.all, exits.all]);
  });

  test('sends the most urgent requests of a process first', async () => {
    const process = open(10);
    const filled = ask(process, 10, 'protect');
    await filled.all;
    const order: Urgency[] = [];
    const asked = (['entry', 'look', 'exit', 'protect'] as const).map((urgency) => process.take(urgency).then(() => order.push(urgency)));
    now += SPAN;
    await Promise.all(asked);
    expect(order).toEqual(['protect', 'exit', 'look', 'entry']);
  });

  test('that is blocked sends nothing from any process for ten minutes', async () => {
    const [one, two] = [open(), open()];
    await ask(two, 1, 'look').all;
    await one.block();
    const { tally, all } = ask(two, 3, 'protect');
    await all;
    expect(tally).toEqual({
      granted: 0,
      refusals: Array(3).fill('rate-limit: The exchange blocks our network address until 00:10 UTC.'),
    });
    now += 10 * MINUTE - 1;
    expect(await ask(open(), 1, 'protect').all.then(() => one.take('protect').catch(({ trouble }) => trouble))).toBe('rate-limit');
    now += 1;
    await Promise.all([one.take('entry'), two.take('entry')]);
  });

  test('has one budget, and one block, for processes whose clocks differ by 200 s', async () => {
    const year = 365 * DAY;
    const processes = [0, 200 * SECOND, -200 * SECOND].map((ahead) => open(100, ahead, { span: year }));
    const asked = processes.map((process) => ask(process, 50, 'entry'));
    await settle(...asked);
    expect(grantedTo(asked)).toBe(85);
    // Ends what waits for the next window.
    now += 21 * SECOND;
    await Promise.all(processes.map((process) => process.take('protect')));
    await Promise.all(asked.map(({ all }) => all));
    await processes[1]?.block();
    for (const process of processes) expect(await process.take('protect').catch(({ trouble }) => trouble)).toBe('rate-limit');
    const [row] = await opened.db.select().from(budgets);
    const left = (row?.endsAt.getTime() ?? 0) - Date.now();
    expect(Math.abs(left - 10 * MINUTE)).toBeLessThan(MINUTE);
  });

  test.each(['requests', 'a block'])('does not wait for %s of a clock that was set back', async (what) => {
    const before = open(100, HOUR);
    if (what === 'a block') await before.block();
    else await ask(before, 100, 'protect').all;
    await ask(open(), 10, 'protect').all;
  });

  test('lets no request wait for more than 20 s', async () => {
    await ask(open(), 100, 'protect').all;
    const late = ask(open(), 1, 'entry');
    // The window is full for as long as it waits.
    await opened.db.update(budgets).set({ endsAt: new Date(now + 30 * SECOND) });
    now += 20 * SECOND;
    await settle(late);
    expect(late.tally).toEqual({ granted: 0, refusals: [] });
    now += 1;
    await late.all;
    expect(late.tally).toEqual({ granted: 0, refusals: [expect.stringContaining('This one waited for 20 s.')] });
  });
});
