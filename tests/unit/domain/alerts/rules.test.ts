import { describe, expect, test } from 'vitest';
import {
  type AlertState,
  afterLook,
  firstState,
  hasExpired,
  type Look,
  lookSince,
  nextThreshold,
  thresholdOf,
} from '#domain/alerts/rules.ts';
import { MINUTE } from '#domain/clock.ts';

const look = (low: number, high: number, last: number): Look => ({ from: 1000, to: 2000, low, high, last });
const above = thresholdOf({ kind: 'above', price: 100 });
const below = thresholdOf({ kind: 'below', price: 100 });
const rise = thresholdOf({ kind: 'percent', percent: 5, period: '24h' });
const fall = thresholdOf({ kind: 'percent', percent: -5, period: '1h' });

const once = (state: AlertState, seen: Look) => afterLook(above, state, { rearms: false, look: seen });
const again = (threshold: typeof above, state: AlertState, seen: Look) => afterLook(threshold, state, { rearms: true, look: seen });

describe('a threshold', () => {
  test('is the price, or the change in the period on the side of its sign', () => {
    expect(above).toEqual({ measure: 'price', side: 'above', level: 100 });
    expect(below).toEqual({ measure: 'price', side: 'below', level: 100 });
    expect(rise).toEqual({ measure: '24h', side: 'above', level: 5 });
    expect(fall).toEqual({ measure: '1h', side: 'below', level: -5 });
  });

  test('is on the other side while the alert waits, and nowhere once it is done', () => {
    expect(nextThreshold(above, 'armed')).toBe(above);
    expect(nextThreshold(above, 'waiting')).toEqual({ measure: 'price', side: 'below', level: 99.5 });
    expect(nextThreshold(below, 'waiting')).toEqual({ measure: 'price', side: 'above', level: 100.5 });
    expect(nextThreshold(rise, 'waiting')).toEqual({ measure: '24h', side: 'below', level: 4.5 });
    expect(nextThreshold(fall, 'waiting')).toEqual({ measure: '1h', side: 'above', level: -4.5 });
    expect(nextThreshold(above, 'done')).toBeUndefined();
  });
});

describe('a new alert', () => {
  test('waits if the user saw the price at the level or past it, and is armed if not', () => {
    expect([99, 100, 101].map((seen) => firstState(above, seen))).toEqual(['armed', 'waiting', 'waiting']);
  });

  test('fires nothing at its first look if the user saw no price', () => {
    expect(firstState(above, null)).toBe('new');
    expect(once('new', look(90, 110, 101))).toEqual({ state: 'waiting' });
    expect(once('new', look(90, 110, 99))).toEqual({ state: 'armed' });
    expect(nextThreshold(above, 'new')?.level).toBe(Number.NEGATIVE_INFINITY);
    expect(nextThreshold(below, 'new')?.level).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('the part of a look', () => {
  test('is all of it for an alert that is older', () => {
    expect(lookSince(look(90, 110, 95), 1000)).toEqual(look(90, 110, 95));
  });

  test('is the last value for an alert that changed during it', () => {
    expect(lookSince(look(90, 110, 95), 1001)).toEqual({ from: 2000, to: 2000, low: 95, high: 95, last: 95 });
  });

  test('is nothing for an alert that changed at its end, so that a look that is repeated after a crash fires nothing twice', () => {
    expect(lookSince(look(90, 110, 95), 2000)).toBeUndefined();
    expect(lookSince(look(90, 110, 95), 2000 + MINUTE)).toBeUndefined();
  });

  test('is the last value for an alert that changed while the clock was ahead', () => {
    expect(lookSince(look(90, 110, 95), 2001 + MINUTE)).toMatchObject({ low: 95, high: 95 });
  });
});

describe('an armed alert', () => {
  test('fires at the extreme although the last price is back', () => {
    expect(once('armed', look(90, 101, 92))).toEqual({ state: 'done', firedAt: 101 });
    expect(again(below, 'armed', look(99, 110, 108))).toMatchObject({ firedAt: 99 });
  });

  test('fires at the level itself and not before it', () => {
    expect(once('armed', look(90, 100, 95)).firedAt).toBe(100);
    expect(again(below, 'armed', look(100, 110, 105)).firedAt).toBe(100);
    expect(once('armed', look(90, 99.99, 95))).toEqual({ state: 'armed' });
    expect(again(below, 'armed', look(100.01, 110, 105))).toEqual({ state: 'armed' });
  });

  test('fires at a change in its direction only', () => {
    expect(again(rise, 'armed', look(-9, 4.9, 1))).toEqual({ state: 'armed' });
    expect(again(rise, 'armed', look(1, 5, 5))).toEqual({ state: 'waiting', firedAt: 5 });
    expect(again(fall, 'armed', look(-4.9, 9, 1))).toEqual({ state: 'armed' });
    expect(again(fall, 'armed', look(-6, 1, -6))).toEqual({ state: 'waiting', firedAt: -6 });
  });
});

describe('an alert that waits', () => {
  test('is armed when the price has left the level by the hysteresis', () => {
    expect(again(above, 'armed', look(99, 101, 100))).toEqual({ state: 'waiting', firedAt: 101 });
    expect(again(above, 'waiting', look(99.6, 101, 101))).toEqual({ state: 'waiting' });
    expect(again(above, 'waiting', look(99.4, 99.9, 99.5))).toEqual({ state: 'armed' });
    expect(again(below, 'waiting', look(99, 100.4, 99))).toEqual({ state: 'waiting' });
    expect(again(below, 'waiting', look(100.1, 100.6, 100.5))).toEqual({ state: 'armed' });
  });

  test('is armed at once if the look that fires it ends past the hysteresis', () => {
    expect(again(above, 'armed', look(99, 101, 99))).toEqual({ state: 'armed', firedAt: 101 });
    expect(again(below, 'armed', look(99, 101, 101))).toEqual({ state: 'armed', firedAt: 99 });
  });

  test('fires in the look that arms it only if the last price proves the order', () => {
    expect(again(above, 'waiting', look(99, 102, 101))).toEqual({ state: 'waiting', firedAt: 101 });
    expect(once('waiting', look(99, 102, 101))).toEqual({ state: 'done', firedAt: 101 });
    expect(again(above, 'waiting', look(99, 102, 99.8))).toEqual({ state: 'armed' });
  });
});

test('an alert that is done never fires', () => {
  expect(again(above, 'done', look(1, 1e300, 1e300))).toEqual({ state: 'done' });
});

test('an alert expires at its time, and never without one', () => {
  expect(hasExpired(1000, 999)).toBe(false);
  expect(hasExpired(1000, 1000)).toBe(true);
  expect(hasExpired(null, Number.MAX_VALUE)).toBe(false);
});
