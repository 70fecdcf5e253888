import { expect, test } from 'vitest';
import { noAnswer } from '#server/ports/exchange/live/errors.ts';

test('no answer leaves a write unclear, and makes a read unavailable', () => {
  expect([noAnswer(true).trouble, noAnswer(false).trouble]).toEqual(['unclear', 'unavailable']);
});
