import { describe, expect, test } from 'vitest';
import { afterLook, hasExpired, isUsableLook, type Look, thresholdOf } from '#domain/alerts/rules.ts';

const look = (low: number, high: number, last: number): Look => ({ from: 1000, to: 2000, low, high, last });
const above = { side: 'above', level: 100 } as const;
const below = { side: 'below', level: 100 } as const;
const none = { high: NaN, low: NaN };

describe('a look', () => {
  test.each([0, -1, NaN, Infinity])('is refused with the price %s', (price) => {
    expect(isUsableLook(look(price, 100, 100), 0)).toBe(false);
    expect(isUsableLook(look(90, price, 90), 0)).toBe(false);
    expect(isUsableLook(look(90, 100, price), 0)).toBe(false);
  });

  test('is refused if the clock ran backwards or a price is outside its extremes', () => {
    expect(isUsableLook(look(90, 100, 95), 1001)).toBe(false);
    expect(isUsableLook({ ...look(90, 100, 95), to: 999 }, 0)).toBe(false);
    expect(isUsableLook(look(90, 100, 101), 0)).toBe(false);
    expect(isUsableLook(look(90, 100, 89), 0)).toBe(false);
    expect(isUsableLook(look(90, 100, 95), 1000)).toBe(true);
  });
});

describe('a threshold', () => {
  test('follows the extremes of the period for a percentage', () => {
    expect(thresholdOf({ kind: 'percent', percent: 50, period: 1 }, { low: 80, high: 100 })).toEqual({
      side: 'above',
      level: 120,
    });
    expect(thresholdOf({ kind: 'percent', percent: -50, period: 1 }, { low: 80, high: 100 })).toEqual({
      side: 'below',
      level: 50,
    });
  });

  test.each([0, NaN, -100, Infinity, Number.MAX_VALUE])('does not exist for %s percent', (percent) => {
    expect(thresholdOf({ kind: 'percent', percent, period: 1 }, { low: 1e300, high: 1e300 })).toBeUndefined();
  });

  test.each([0, -1, NaN, Infinity])('does not exist at the price %s', (price) => {
    expect(thresholdOf({ kind: 'above', price }, none)).toBeUndefined();
  });
});

describe('an armed alert', () => {
  test('fires at the extreme although the last price is back', () => {
    expect(afterLook(above, 'armed', false, look(90, 101, 92))).toEqual({ state: 'done', firedAt: 101 });
    expect(afterLook(below, 'armed', false, look(99, 110, 108))).toEqual({ state: 'done', firedAt: 99 });
  });

  test('fires at the level itself and not before it', () => {
    expect(afterLook(above, 'armed', false, look(90, 100, 95)).firedAt).toBe(100);
    expect(afterLook(below, 'armed', false, look(100, 110, 105)).firedAt).toBe(100);
    expect(afterLook(below, 'armed', false, look(100.01, 110, 105))).toEqual({ state: 'armed' });
    expect(afterLook(above, 'armed', false, look(90, 99.99, 95))).toEqual({ state: 'armed' });
  });
});

describe('an alert that re-arms', () => {
  test('waits until the price has left the level by the hysteresis', () => {
    expect(afterLook(above, 'armed', true, look(99, 101, 100))).toEqual({ state: 'waiting', firedAt: 101 });
    expect(afterLook(above, 'waiting', true, look(99.6, 101, 101))).toEqual({ state: 'waiting' });
    expect(afterLook(above, 'waiting', true, look(99.4, 99.9, 99.5))).toEqual({ state: 'armed' });
    expect(afterLook(below, 'waiting', true, look(99, 100.4, 99))).toEqual({ state: 'waiting' });
    expect(afterLook(below, 'waiting', true, look(100.1, 100.6, 100.5))).toEqual({ state: 'armed' });
  });

  test('is armed at once if the look that fires it ends past the hysteresis', () => {
    expect(afterLook(above, 'armed', true, look(99, 101, 99))).toEqual({ state: 'armed', firedAt: 101 });
    expect(afterLook(below, 'armed', true, look(99, 101, 101))).toEqual({ state: 'armed', firedAt: 99 });
  });

  test('fires again in the look that re-arms it only if the last price proves the order', () => {
    expect(afterLook(above, 'waiting', true, look(99, 102, 101))).toEqual({ state: 'waiting', firedAt: 101 });
    expect(afterLook(above, 'waiting', true, look(99, 102, 99.8))).toEqual({ state: 'armed' });
  });
});

test('an alert that is done never fires', () => {
  expect(afterLook(above, 'done', true, look(1, 1e300, 1e300))).toEqual({ state: 'done' });
});

test('an alert expires at its time, and never without one', () => {
  expect(hasExpired(1000, 999)).toBe(false);
  expect(hasExpired(1000, 1000)).toBe(true);
  expect(hasExpired(null, Number.MAX_VALUE)).toBe(false);
});
