import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { runSchedule, type ScheduleReport } from '#tests/faults/contact-schedules.ts';
import { startServer, type TestServer } from '#tests/support/server/server.ts';

/** `npm run faults` runs more schedules. */
const SCHEDULES = Number(process.env.CONTACT_SCHEDULES ?? 2);
const FIRST_SEED = Number(process.env.CONTACT_SEED ?? 1);

const { fetch: realFetch } = globalThis;
let server: TestServer;
let now = Date.now();

beforeAll(async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined); // Lost connections are logged there.
  server = await startServer({ env: { TRUST_PROXY: 'on' }, clock: () => now });
});
afterAll(async () => {
  vi.restoreAllMocks();
  vi.stubGlobal('fetch', realFetch); // also after a failure: the next file of this worker needs it
  await server.close();
});

test(`messages to support over ${SCHEDULES} schedules of faults arrive once, or are shown as failed`, { timeout: 1_800_000 }, async () => {
  const total: ScheduleReport = { written: 0, delivered: 0, failed: 0, givenUp: 0, doubled: 0, lost: 0 };
  const wrong: number[] = [];
  for (let seed = FIRST_SEED; seed < FIRST_SEED + SCHEDULES; seed++) {
    const report = await runSchedule(server, seed, (ms) => {
      now += ms;
    });
    for (const name of Object.keys(total) as (keyof ScheduleReport)[]) total[name] += report[name];
    if (report.doubled + report.lost > 0) wrong.push(seed);
  }
  console.log(`${SCHEDULES} schedules of faults: ${JSON.stringify(total)}`);
  expect(wrong).toEqual([]);
  expect(total.written).toBe(total.delivered + total.failed + total.givenUp);
  expect(total.delivered).toBeGreaterThan(SCHEDULES);
});
