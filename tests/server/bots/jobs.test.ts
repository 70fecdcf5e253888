import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { createJobs } from '#server/jobs/jobs.ts';
import { openTestDb } from '#tests/support/server/test-db.ts';

test('a hanging job delays only its own round', async () => {
  const opened = await openTestDb();
  const jobs = createJobs(opened.queue, (error) => expect(error).toBeUndefined());
  const queue = await jobs.queue<{ name: string }>('test');
  const begun: string[] = [];
  let release = (): void => undefined;
  const hangs = new Promise<void>((resolve) => {
    release = resolve;
  });
  const begins = (name: string) => vi.waitFor(() => expect(begun).toContain(name));
  const insert = (name: string) => queue.insert([{ id: randomUUID(), data: { name } }]);
  await queue.work({ atOnce: 40, rounds: 4 }, async ({ name }) => {
    begun.push(name);
    if (name.startsWith('hangs')) await hangs;
  });
  for (const name of ['hangs', 'hangs too', 'continues']) {
    await insert(name);
    await begins(name);
  }
  release();
  await jobs.stop();
  await opened.close();
});
