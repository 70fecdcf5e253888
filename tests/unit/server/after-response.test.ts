import { expect, test } from 'vitest';
import { createErrands } from '#server/after-response.ts';

test('an errand begins after whatever is under way, and is waited for when all is to be settled', async () => {
  const story: string[] = [];
  const errands = createErrands(() => undefined);
  errands.run(async () => story.push('errand'));
  await Promise.resolve().then(() => story.push('answer'));
  await errands.settled();
  expect(story).toEqual(['answer', 'errand']);
});

test('an errand that fails is reported and keeps no other from its end', async () => {
  const reported: unknown[] = [];
  const errands = createErrands((error) => reported.push(error));
  let done = false;
  errands.run(() => Promise.reject(new Error('no mail server')));
  errands.run(async () => {
    throw new Error('thrown');
  });
  errands.run(async () => {
    done = true;
  });
  await errands.settled();
  expect(reported).toEqual([new Error('no mail server'), new Error('thrown')]);
  expect(done).toBe(true);
});
