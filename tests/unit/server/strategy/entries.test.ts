import { describe, expect, it } from 'vitest';
import { HOUR } from '#domain/clock.ts';
import { findEntry, type View } from '#server/strategy/entries.ts';
import { parametersFor } from '#server/strategy/parameters.ts';
import type { Level } from '#server/strategy/signal.ts';

const parameters = parametersFor(HOUR);

const level = (price: number, changes: Partial<Level> = {}): Level => ({
  price,
  touches: 2,
  firstTouch: 0,
  lastTouch: HOUR,
  turned: 'low',
  strength: 2,
  ...changes,
});

const candle = (open: number, high: number, low: number, close: number) => ({ time: 0, open, high, low, close, volume: 1 });

/** An uptrend that dips to 100 within the candle and turns. The average range is 2. */
const view = (changes: Partial<View> = {}): View => ({
  candle: candle(102, 104, 101, 103),
  previous: candle(103, 104, 102, 102),
  atr: 2,
  levels: [level(100), level(150)],
  trend: 'up',
  ...changes,
});

/** Mirrors a view for the short side. */
function mirrored({ candle: { open, high, low, close }, previous, levels, ...rest }: View): View {
  const flip = (price: number) => 300 - price;
  return {
    ...rest,
    trend: 'down',
    candle: candle(flip(open), flip(low), flip(high), flip(close)),
    previous: candle(flip(previous.open), flip(previous.low), flip(previous.high), flip(previous.close)),
    levels: levels
      .map((one) => ({ ...one, price: flip(one.price), turned: one.turned === 'low' ? ('high' as const) : ('low' as const) }))
      .reverse(),
  };
}

describe('an entry', () => {
  it('is a bounce at a support in an uptrend: stop beyond the level, target at the next rewarding level', () => {
    // Risk: from 103 to 100 − 2 ranges.
    expect(findEntry(view(), parameters)).toEqual({ side: 'long', setup: 'bounce', level: level(100), stop: 96, target: 150 });
  });

  it('is a retest if the level was a resistance before', () => {
    const broken = level(100, { turned: 'high' });
    expect(findEntry(view({ levels: [broken, level(150)] }), parameters)?.setup).toBe('retest');
  });

  it('puts the stop beyond the candle if the candle crossed the level', () => {
    expect(findEntry(view({ candle: candle(102, 104, 99, 103) }), parameters)?.stop).toBe(95);
  });

  it('skips levels that are too close, and derives the target from the risk without a level ahead', () => {
    expect(findEntry(view({ levels: [level(100), level(110), level(130)] }), parameters)?.target).toBe(130);
    expect(findEntry(view({ levels: [level(100)] }), parameters)?.target).toBe(103 + parameters.openReward * 7);
  });

  it('takes the nearest of two levels', () => {
    expect(findEntry(view({ levels: [level(99.5), level(100)] }), parameters)?.level.price).toBe(100);
  });

  it('mirrors for the short side', () => {
    const long = findEntry(view(), parameters);
    const short = findEntry(mirrored(view()), parameters);
    expect(short).toMatchObject({ side: 'short', setup: 'bounce', stop: 300 - (long?.stop ?? 0), target: 300 - (long?.target ?? 0) });
  });

  it.each<[string, Partial<View>]>([
    ['no trend', { trend: 'flat' }],
    ['no range known yet', { atr: 0 }],
    ['a candle that fell', { candle: candle(103, 104, 101, 102) }],
    ['a level that price did not come near', { candle: candle(104, 106, 103, 105) }],
    ['a level that the candle closed below', { candle: candle(98, 100, 97, 99) }],
    ['a level that the candle before closed below', { previous: candle(101, 102, 98, 99) }],
    ['a weak level', { levels: [level(100, { strength: 0.9 }), level(150)] }],
    ['no level', { levels: [] }],
  ])('is none with %s', (_, changes) => {
    expect(findEntry(view(changes), parameters)).toBeNull();
    expect(findEntry({ ...mirrored(view(changes)), trend: changes.trend ?? 'down' }, parameters)).toBeNull();
  });
});
