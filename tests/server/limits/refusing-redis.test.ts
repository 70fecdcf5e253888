import fs from 'node:fs';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { MINUTE } from '#domain/clock.ts';
import { createFanOut } from '#server/fan-out/create-fan-out.ts';
import { redisChannel } from '#server/fan-out/redis-channel.ts';
import { connectRedis, destroyRedis } from '#server/fan-out/redis-connection.ts';
import { createLimits } from '#server/limits/create-limits.ts';
import { redisCounts } from '#server/limits/redis-counts.ts';
import { type Redis, startRedis } from '#tests/support/processes/redis.ts';

const log = { warn: vi.fn(), info: vi.fn(), debug: vi.fn() };
let redis: Redis | undefined;
let admin: Awaited<ReturnType<typeof connectRedis>> | undefined;
let url: string;

beforeAll(async () => {
  redis = await startRedis();
  url = `redis://127.0.0.1:${redis?.port}`;
  if (redis) admin = await connectRedis(url, { limit: 5_000, lose: () => undefined });
});

afterAll(async () => {
  if (admin) destroyRedis(admin);
  await redis?.stop();
});

beforeEach(({ skip }) => {
  vi.clearAllMocks();
  if (!redis) skip('Redis is not installed here');
});

const say = (...command: string[]) => admin?.sendCommand(command);
const info = async (section: string) => String(await say('INFO', section));

/** Lets Redis fail to save, after which it refuses to write. */
async function failToSave(): Promise<void> {
  await say('CONFIG', 'SET', 'save', '3600 1');
  const { dir = '' } = (await admin?.configGet('dir')) ?? {};
  fs.rmSync(dir, { recursive: true, force: true });
  await say('BGSAVE');
  await vi.waitFor(async () => expect(await info('persistence')).toContain('rdb_last_bgsave_status:err'), { timeout: 10_000 });
}

const CASES: [string, () => Promise<unknown>, () => Promise<unknown> | undefined][] = [
  ['is a read-only replica', async () => say('REPLICAOF', '127.0.0.1', '1'), () => say('REPLICAOF', 'NO', 'ONE')],
  ['has no memory left', async () => say('CONFIG', 'SET', 'maxmemory', '1'), () => say('CONFIG', 'SET', 'maxmemory', '0')],
  ['cannot save', failToSave, () => say('CONFIG', 'SET', 'save', '')],
];

test.for(CASES)('limits count alone while Redis %s, say so once, and count together again after', async ([, refuse, heal]) => {
  const limits = createLimits({ store: redisCounts(url), interval: 1, secret: 'secret', log });
  const count = limits.counter('calls', { max: 3, span: MINUTE });
  count('before');
  await refuse();
  try {
    // Each is sent after the store was tried without any.
    for (const key of ['one', 'two']) {
      count(key);
      await vi.waitFor(() => expect(log.warn).toHaveBeenCalled());
      const connections = async () => Number(/total_connections_received:(\d+)/.exec(await info('stats'))?.[1]);
      const known = await connections();
      await vi.waitFor(async () => expect(await connections()).toBeGreaterThan(known + 1), { timeout: 10_000 });
    }
    expect([count('one'), count('one'), count('one')].map(({ isAllowed }) => isAllowed)).toEqual([true, true, false]);
    expect(log.warn).toHaveBeenCalledOnce();
    expect(log.info).not.toHaveBeenCalled();
  } finally {
    await heal();
  }
  await vi.waitFor(() => expect(log.info).toHaveBeenCalledOnce(), { timeout: 10_000 });
  count('after');
  await limits.close();
});

test('a listener stays while Redis cannot save and refuses PING: no page has to reload', async () => {
  const fanOut = createFanOut(redisChannel(url), { log, timing: { check: 10, firstRetry: 1 } });
  const listener = { onChange: vi.fn(), onGap: vi.fn() };
  await fanOut.listen(listener);
  await failToSave();
  try {
    const pings = async () => Number(/cmdstat_ping:.*rejected_calls=(\d+)/.exec(await info('commandstats'))?.[1] ?? 0);
    await vi.waitFor(async () => expect(await pings()).toBeGreaterThan(3), { timeout: 10_000 });
    expect([fanOut.isListening(), fanOut.lostCount(), listener.onGap.mock.calls.length]).toEqual([true, 0, 1]);
  } finally {
    await say('CONFIG', 'SET', 'save', '');
    await fanOut.close();
  }
});
