import { expect } from '@playwright/test';
import { runShareSchedule } from '#tests/faults/shares/share-schedule.ts';
import { test } from '../fixtures.ts';

/** `npm run faults` runs more schedules. */
const SCHEDULES = Number(process.env.SHARE_SCHEDULES ?? 2);
const FIRST_SEED = Number(process.env.SHARE_SEED ?? 4);

test(`what is shared in ${SCHEDULES} schedules of faults is in one question of its user each, or the user knows why not`, async ({
  app,
}) => {
  test.setTimeout(SCHEDULES * 300_000);
  const total = { shared: 0, delivered: 0, excused: 0 };
  const faults: string[] = [];
  for (let seed = FIRST_SEED; seed < FIRST_SEED + SCHEDULES; seed++) {
    const report = await runShareSchedule(app, seed);
    for (const name of ['shared', 'delivered', 'excused'] as const) total[name] += report[name];
    faults.push(...report.faults);
  }
  console.log(`${SCHEDULES} schedules of shares: ${JSON.stringify(total)}`);
  expect(faults).toEqual([]);
  expect(total.delivered).toBeGreaterThan(0);
});
