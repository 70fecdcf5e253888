import { describe, expect, it } from 'vitest';
import { pauseBelow, reachesLimit } from '#domain/bots/loss-limit.ts';

describe('the loss limit of a bot', () => {
  it('pauses at two thirds of it, and at 30% at the latest', () => {
    expect([5, 30, 45, 90].map(pauseBelow)).toEqual([5, 30, 45, 90].map((limit) => expect.closeTo(Math.min(0.3, limit / 150), 10)));
  });

  it('is reached by exactly that loss', () => {
    expect([0.2999, 0.3, 0.31].map((loss) => reachesLimit(loss, 30))).toEqual([false, true, true]);
  });
});
