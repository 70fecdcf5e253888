import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { HOUR, MINUTE } from '#domain/clock.ts';
import { maintainBlobs } from '#server/blobs/maintain-blobs.ts';
import { profilePictures, users } from '#server/db/schema/users.ts';
import { readTimeMark } from '#server/housekeeping/marks.ts';
import { openBlobs } from '#server/ports/blobs/open-blobs.ts';
import { createGate } from '#tests/support/create-gate.ts';
import { blobsOf } from '#tests/support/server/blobs.ts';
import { openTestDb, type TestDb } from '#tests/support/server/test-db.ts';

let opened: TestDb;
let now: number;
/** How often the whole store was listed, and what each list waits for. */
let lists: number;
let gate: ReturnType<typeof createGate>;
const apps: FastifyInstance[] = [];

beforeEach(async () => {
  opened = await openTestDb();
  now = Date.UTC(2026, 2, 1);
  lists = 0;
  gate = createGate();
  const { db } = opened;
  const [ada] = await db
    .insert(users)
    .values({ email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace', passwordHash: 'x' })
    .returning();
  await db.insert(profilePictures).values({ userId: ada?.id ?? '', ...(await openBlobs(opened).put(Buffer.from('picture'))) });
});
afterEach(async () => {
  gate.open();
  await Promise.all(apps.splice(0).map((app) => app.close()));
  await opened.close();
});

/** Creates a process that is not ready yet. */
function createProcess(): FastifyInstance {
  const store = openBlobs(opened);
  const app = Fastify();
  async function* list() {
    lists++;
    await gate.passed;
    yield* store.list();
  }
  maintainBlobs(app, { db: opened.db, blobs: blobsOf({ ...opened, store: { ...store, list } }), clock: () => now });
  apps.push(app);
  return app;
}

const start = (app = createProcess()) => app.listen({ port: 0, host: '127.0.0.1' }).then(() => app);
const runsTo = (count: number) => vi.waitFor(() => expect(lists).toBe(count), { timeout: 30_000 });
const ended = () => vi.waitFor(async () => expect(await readTimeMark(opened.db, 'blobs', now)).toBe(now), { timeout: 30_000 });

test('one process at a time lists the store, after it listens, and another one an hour later', async () => {
  const first = createProcess();
  await first.ready();
  // The embedded database answers in turn: a run that had begun would list by then.
  for (let turns = 0; turns < 50; turns++) await opened.db.$count(users);
  expect(lists).toBe(0);
  await start(first);
  await runsTo(1);

  // Closing waits for what a process has begun.
  for (const other of [await start(), await start()]) await other.close();
  expect(lists).toBe(1);
  gate.open();
  await ended();

  now += 50 * MINUTE;
  await (await start()).close();
  expect(lists).toBe(1);
  now += HOUR;
  await start();
  await runsTo(2);
  await ended();
});
