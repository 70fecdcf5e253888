import { describe, expect, it } from 'vitest';
import { noEntryText } from '#domain/bots/no-entry.ts';
import { HOUR } from '#domain/clock.ts';
import type { Candle } from '#domain/market/candles.ts';
import { readBundledCandles } from '#server/ports/market-data/bundled.ts';
import { judgeCandle, type View } from '#server/strategy/entries.ts';
import { parametersFor } from '#server/strategy/parameters.ts';
import type { Level } from '#server/strategy/signal.ts';
import { createStrategy } from '#server/strategy/strategy.ts';

const parameters = parametersFor(HOUR);

const findEntry = (seen: View) => judgeCandle(seen, parameters).entry;

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
  trendGap: 0,
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
    expect(findEntry(view())).toEqual({ side: 'long', setup: 'bounce', level: level(100), stop: 96, target: 150 });
  });

  it('is a retest if the level was a resistance before', () => {
    const broken = level(100, { turned: 'high' });
    expect(findEntry(view({ levels: [broken, level(150)] }))?.setup).toBe('retest');
  });

  it('puts the stop beyond the candle if the candle crossed the level', () => {
    expect(findEntry(view({ candle: candle(102, 104, 99, 103) }))?.stop).toBe(95);
  });

  it('skips levels that are too close, and derives the target from the risk without a level ahead', () => {
    expect(findEntry(view({ levels: [level(100), level(110), level(130)] }))?.target).toBe(130);
    expect(findEntry(view({ levels: [level(100)] }))?.target).toBe(103 + parameters.openReward * 7);
  });

  it('takes the nearest of two levels', () => {
    expect(findEntry(view({ levels: [level(99.5), level(100)] }))?.level.price).toBe(100);
  });

  it('mirrors for the short side', () => {
    const long = findEntry(view());
    const short = findEntry(mirrored(view()));
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
    expect(findEntry(view(changes))).toBeNull();
    expect(findEntry({ ...mirrored(view(changes)), trend: changes.trend ?? 'down' })).toBeNull();
  });
});

describe('without an entry', () => {
  it.each<[Partial<View>, object, string]>([
    [
      { trend: 'flat', trendGap: 12 },
      { rule: 'trend', distance: 12 },
      'No trend: the price was $12.00 from leaving the space between its two averages.',
    ],
    [{ atr: 0 }, { rule: 'warm-up' }, 'The strategy needs more candles before its first entry.'],
    [{ candle: candle(103, 104, 101, 102) }, { rule: 'direction', distance: 1 }, 'The candle fell by $1.00, against the uptrend.'],
    [
      { candle: candle(104, 106, 103, 105) },
      { rule: 'away', level: 100, distance: 1 },
      'The price stayed $1.00 too far above the level at $100.00.',
    ],
    [{ candle: candle(98, 100, 97, 99) }, { rule: 'lost', level: 100, distance: 1 }, 'A candle closed $1.00 below the level at $100.00.'],
    [
      { previous: candle(101, 102, 96, 98) },
      { rule: 'lost', level: 100, distance: 2 },
      'A candle closed $2.00 below the level at $100.00.',
    ],
    [{ levels: [level(100, { strength: 0.9 })] }, { rule: 'no-level', distance: null }, 'The uptrend has no level that is strong enough.'],
  ])('%j names the rule and the distance %j', (changes, expected, text) => {
    const { entry, noEntry } = judgeCandle(view(changes), parameters);
    expect(entry).toBeNull();
    expect(noEntry).toMatchObject(expected);
    expect(noEntry && noEntryText(noEntry)).toBe(text);
    if (changes.trend === 'flat') return;
    const { noEntry: short } = judgeCandle(mirrored(view(changes)), parameters);
    expect(short).toMatchObject({ rule: noEntry?.rule, distance: noEntry?.distance });
  });

  it('finds the same entries as the rules written as one condition, on real candles', () => {
    const strategy = createStrategy(parameters);
    let previous: Candle | undefined;
    let entries = 0;
    for (const [index, candle] of readBundledCandles().slice(0, 9000).entries()) {
      const { atr, levels, trend, entry, noEntry } = strategy.next(candle);
      const expected = index + 1 < parameters.warmUp ? undefined : heldLevel({ candle, previous: previous ?? candle, atr, levels, trend });
      expect(entry?.level).toEqual(expected);
      expect(noEntry === null).toBe(entry !== null);
      if (noEntry?.distance != null) expect(noEntry.distance).toBeGreaterThanOrEqual(0);
      if (entry) entries++;
      previous = candle;
    }
    expect(entries).toBeGreaterThan(100);
  });
});

/** The level of an entry by the rules as one condition. */
function heldLevel({ candle, previous, atr, levels, trend }: Omit<View, 'trendGap'>): Level | undefined {
  const sign = trend === 'up' ? 1 : -1;
  if (trend === 'flat' || atr === 0 || sign * (candle.close - candle.open) <= 0) return undefined;
  const extreme = sign === 1 ? candle.low : candle.high;
  const held = levels.filter(
    ({ price, strength }) =>
      strength >= parameters.strength &&
      sign * (candle.close - price) > 0 &&
      sign * (previous.close - price) > 0 &&
      sign * (extreme - price) <= parameters.zone * atr,
  );
  return sign === 1 ? held.at(-1) : held[0];
}
