import { expect, test } from 'vitest';
import { createAfterResponse } from '#server/after-response.ts';

test('work starts after the current task, and settled() waits for it', async () => {
  const story: string[] = [];
  const afterResponse = createAfterResponse(() => undefined);
  afterResponse.run(async () => story.push('work'));
  await Promise.resolve().then(() => story.push('answer'));
  await afterResponse.settled();
  expect(story).toEqual(['answer', 'work']);
});

test('a failure is reported and does not stop other work', async () => {
  const reported: unknown[] = [];
  const afterResponse = createAfterResponse((error) => reported.push(error));
  let done = false;
  afterResponse.run(() => Promise.reject(new Error('no mail server')));
  afterResponse.run(async () => {
    throw new Error('thrown');
  });
  afterResponse.run(async () => {
    done = true;
  });
  await afterResponse.settled();
  expect(reported).toEqual([new Error('no mail server'), new Error('thrown')]);
  expect(done).toBe(true);
});
