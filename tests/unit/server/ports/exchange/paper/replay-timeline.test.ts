import { describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE } from '#domain/clock.ts';
import { foldCandles } from '#domain/market/candles.ts';
import { createRandom } from '#domain/random.ts';
import { readHistory } from '#server/ports/exchange/paper/history.ts';
import { BASE, createTimeline } from '#server/ports/exchange/paper/replay-timeline.ts';

const history = readHistory();
const start = history[0]?.time ?? 0;
const whole = history.length * BASE;
const timeline = createTimeline(history, start);

describe('the bundled history', () => {
  it('has every five minutes of five weeks, each within its high and low', () => {
    expect(history).toHaveLength(10_905);
    history.forEach(({ time, open, high, low, close }, index) => {
      if (time !== start + index * BASE || low > Math.min(open, close) || high < Math.max(open, close)) throw new Error(`candle ${index}`);
    });
  });
});

describe('the timeline', () => {
  it('shows the history as it is, in candles of any length', () => {
    const hours = foldCandles(history, HOUR).slice(1, -1);
    expect(hours.map(({ time }) => timeline.candle(time, HOUR))).toEqual(hours);
    const [day] = foldCandles(history, DAY).slice(1);
    expect(day && timeline.candle(day.time, DAY)).toEqual(day);
  });

  it('knows the original time of each candle, in both directions', () => {
    const at = (time: number) => timeline.originOf(time);
    expect([start, start + BASE - 1, start + BASE].map(at)).toEqual([start, start, start + BASE]);
    expect([start + whole - 1, start + whole, start + 2 * whole - 1, start + 2 * whole].map(at)).toEqual([
      start + whole - BASE,
      start + whole - BASE,
      start,
      start,
    ]);
  });

  it('reverses at both ends of the history without a jump', () => {
    for (const turn of [start + whole, start, start - whole, start + 2 * whole, start + 7 * whole]) {
      const [before, after] = [timeline.candle(turn - BASE, BASE), timeline.candle(turn, BASE)];
      expect(after).toEqual({ ...before, time: turn, open: before.close, close: before.open });
    }
    expect(timeline.candle(start + 2 * whole, BASE)).toEqual(history[0] && { ...history[0], time: start + 2 * whole });
  });

  it('visits exactly the prices of each candle, in straight lines', () => {
    for (const { time, open, high, low, close } of [...history.slice(0, 300), timeline.candle(start + whole + 7 * BASE, BASE)]) {
      const way = timeline.way(time, time + BASE);
      expect(way[0]?.open).toBe(open);
      expect(way.at(-1)?.close).toBe(close);
      expect(Math.max(...way.map((piece) => piece.high))).toBe(high);
      expect(Math.min(...way.map((piece) => piece.low))).toBe(low);
      for (const piece of way) {
        expect(Math.min(piece.open, piece.close)).toBe(piece.low);
        expect(Math.max(piece.open, piece.close)).toBe(piece.high);
      }
    }
  });

  it('has the same path however it is cut', () => {
    const random = createRandom(3);
    for (let round = 0; round < 300; round++) {
      const from = start + Math.floor(random() * 3 * whole);
      const cut = from + Math.floor(random() * HOUR);
      const to = cut + Math.floor(random() * HOUR);
      const once = timeline.way(from, to);
      const twice = [...timeline.way(from, cut), ...timeline.way(cut, to)];
      expect(twice[0]?.open).toBe(once[0]?.open);
      expect(twice.at(-1)?.close).toBe(once.at(-1)?.close);
      const joined = new Map<number, { high: number; low: number }>();
      for (const { time, high, low } of twice) {
        const known = joined.get(time) ?? { high, low };
        joined.set(time, { high: Math.max(known.high, high), low: Math.min(known.low, low) });
      }
      expect([...joined]).toEqual(once.map(({ time, high, low }) => [time, { high, low }]));
      expect(timeline.priceAt(to)).toBe(timeline.way(to, to + 1)[0]?.open);
    }
  });

  it('builds an open candle up to its closed form', () => {
    const open = Math.ceil(start / HOUR) * HOUR;
    const final = timeline.candle(open, HOUR);
    const steps = Array.from({ length: 60 }, (_, minute) => timeline.soFar(open, open + minute * MINUTE));
    expect(steps[0]).toMatchObject({ open: final.open, high: final.open, low: final.open, close: final.open, volume: 0 });
    steps.reduce((before, after) => {
      expect(after.high).toBeGreaterThanOrEqual(before.high);
      expect(after.low).toBeLessThanOrEqual(before.low);
      expect(after.volume).toBeGreaterThan(before.volume);
      return after;
    });
    const almost = timeline.soFar(open, open + HOUR - 1);
    expect(almost).toMatchObject({ time: open, high: final.high, low: final.low });
    expect(almost.volume).toBeCloseTo(final.volume, 1);
  });
});
