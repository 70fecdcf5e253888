import { describe, expect, it } from 'vitest';
import { DAY } from '#domain/clock.ts';
import { NO_GUARDS } from '#server/strategy/guards.ts';
import type { Entry, Signal } from '#server/strategy/signal.ts';
import { decide, type Situation, spoiledAt } from '#server/strategy/trader.ts';

const NOW = 20_000 * DAY;
const EXACT = { quantity: Number.POSITIVE_INFINITY };
const TIERS = [
  { value: 10_000, maintenance: 0.005, ...EXACT },
  { value: 20_000, maintenance: 0.05, ...EXACT },
];
const level = { price: 49_400, touches: 2, firstTouch: 0, lastTouch: 0, turned: 'low', strength: 2 } as const;
const entry: Entry = { side: 'long', setup: 'bounce', level, stop: 49_000.04, target: 55_000.06 };

const signal = (changes: Partial<Signal> = {}): Signal => ({
  candle: { time: NOW, open: 49_800, high: 50_100, low: 49_500, close: 50_000, volume: 1 },
  atr: 300,
  levels: [level],
  trend: 'up',
  entry,
  ...changes,
});

const situation = (changes: Partial<Situation> = {}): Situation => ({
  position: null,
  equity: 10_000,
  balance: 10_000,
  guards: NO_GUARDS,
  leverage: 15,
  terms: { quantity: 0.001, price: 0.1, least: 0.001, tiers: TIERS },
  takerFee: 0.00055,
  at: NOW,
  ...changes,
});

describe('the decision', () => {
  it('is to enter, at prices and quantities that the exchange accepts', () => {
    expect(decide(signal(), situation())).toEqual({ kind: 'enter', side: 'long', quantity: 0.139, stop: 49_000, target: 55_000.1 });
  });

  it.each<[string, Partial<Signal>, Partial<Situation>]>([
    ['No setup', { entry: null }, {}],
    ['The stop would be too close to liquidation', { entry: { ...entry, stop: 47_000 } }, {}],
    // The position has a value of 14,000 USD, and then of 28,000.
    ['The stop would be too close to liquidation', {}, { equity: 20_000, balance: 20_000 }],
    ['The position would be larger than the exchange allows', {}, { equity: 40_000, balance: 40_000 }],
    // Both ways at market, and twenty days of funding: 0.75%.
    ["The target would not cover the trade's costs", { entry: { ...entry, target: 50_370 } }, {}],
    ['The position would be too small', {}, { equity: 20, balance: 20 }],
    ['Down 6% since midnight UTC', {}, { guards: { ...NO_GUARDS, pausedUntil: NOW + 1, pausedFor: 'Down 6% since midnight UTC' } }],
    ['In position', {}, { position: { side: 'long', openedAt: NOW - DAY } }],
    ['In position', { trend: 'flat' }, { position: { side: 'short', openedAt: NOW - DAY } }],
  ])('is to hold: %s', (why, ofSignal, ofSituation) => {
    expect(decide(signal(ofSignal), situation(ofSituation))).toEqual({ kind: 'hold', why });
  });

  it('is to enter if the target just covers the costs', () => {
    expect(decide(signal({ entry: { ...entry, target: 50_380 } }), situation()).kind).toBe('enter');
  });

  it('is to close a position against the trend, whether guards pause or not', () => {
    const guards = { ...NO_GUARDS, pausedUntil: NOW + DAY, pausedFor: 'Down' };
    const close = { kind: 'close', reason: 'trend' };
    expect(decide(signal({ trend: 'down' }), situation({ guards, position: { side: 'long', openedAt: NOW - DAY } }))).toEqual(close);
    expect(decide(signal({ trend: 'up' }), situation({ position: { side: 'short', openedAt: NOW - DAY } }))).toEqual(close);
  });

  it('is to close a position after twenty days', () => {
    const held = (days: number) => decide(signal(), situation({ position: { side: 'long', openedAt: NOW - days * DAY } }));
    expect(held(19.9).kind).toBe('hold');
    expect(held(20)).toEqual({ kind: 'close', reason: 'time' });
  });
});

describe('an entry at the current price', () => {
  // The signal's price is 50,000.
  const long = { kind: 'enter', side: 'long', quantity: 0.1, stop: 49_000, target: 55_000 } as const;
  const short = { kind: 'enter', side: 'short', quantity: 0.1, stop: 51_000, target: 45_000 } as const;
  const left = 'The price is no longer between stop and target';
  const far = 'The price is too far from the stop';
  const near = 'The stop would be too close to liquidation';

  it.each([
    [50_000, long, 15, null],
    [50_950, long, 15, null],
    [49_050, long, 15, null],
    [49_000, long, 15, left],
    [55_000, long, 15, left],
    [51_050, long, 15, far],
    [50_950, long, 33, near],
    [50_000, { ...long, quantity: 0.3 }, 15, near],
    [50_000, { ...long, quantity: 0.5 }, 15, 'The position would be larger than the exchange allows'],
    [49_050, short, 15, null],
    [51_000, short, 15, left],
    [44_900, short, 15, left],
    [48_950, short, 15, far],
  ])('%d, %j at %d×: %s', (price, entering, leverage, why) => {
    expect(spoiledAt(price, signal(), entering, { leverage, tiers: TIERS })).toBe(why);
  });
});
