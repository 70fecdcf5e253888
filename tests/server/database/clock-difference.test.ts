import { Writable } from 'node:stream';
import { expect, onTestFinished, test, vi } from 'vitest';
import { HOUR } from '#domain/clock.ts';
import { onPostgres, sharedEnv } from '#tests/support/server/on-postgres.ts';
import { startServer } from '#tests/support/server/server.ts';

let url: string;
onPostgres(
  async (postgres) => {
    url = postgres.url;
  },
  async () => undefined,
);

/** Starts a server whose clock differs from PostgreSQL's by `ahead` ms. Returns its log, and what reads its metric. */
async function start(ahead: number) {
  const lines: { level: number; msg: string }[] = [];
  const logTo = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)));
      done();
    },
  });
  const env = { ...sharedEnv(url), LOG_LEVEL: 'info', METRICS_TOKEN: 'm'.repeat(32) };
  const server = await startServer({ env, clock: () => Date.now() + ahead, logTo });
  onTestFinished(() => server.close());
  const headers = { authorization: `Bearer ${'m'.repeat(32)}` };
  const metric = async () => {
    const text = await (await fetch(`${server.url}/metrics`, { headers })).text();
    return Number(/^tidemark_clock_ahead_seconds (\S+)$/m.exec(text)?.[1]);
  };
  return { metric, complaints: () => lines.filter(({ msg }) => msg.startsWith('the clock')).map(({ msg }) => msg) };
}

test.each([
  [HOUR, /^the clock is 3[56]\d\d s ahead of PostgreSQL's$/],
  [-HOUR, /^the clock is 3[56]\d\d s behind PostgreSQL's$/],
])('a process whose clock is %i ms off says so in its log and in its metrics', async (ahead, complaint) => {
  const { metric, complaints } = await start(ahead);
  await vi.waitFor(() => expect(complaints()).toEqual([expect.stringMatching(complaint)]), { timeout: 30_000 });
  expect(await metric()).toBeCloseTo(ahead / 1000, -2);
});

test('a process whose clock is right complains of nothing', async () => {
  const { metric, complaints } = await start(0);
  await vi.waitFor(async () => expect(Math.abs(await metric())).toBeLessThan(60), { timeout: 30_000 });
  expect(complaints()).toEqual([]);
});
