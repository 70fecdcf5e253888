import type { Candle } from '#domain/market/candles.ts';

interface Options {
  reach: number;
  /** USD. */
  tolerance: number;
  /** ms. */
  memory: number;
  halfLife: number;
}

export interface BruteLevel {
  price: number;
  touches: number;
  firstTouch: number;
  lastTouch: number;
  turned: 'high' | 'low';
  strength: number;
}

/** Computes levels the simple way: from scratch, comparing each candle with each neighbor. */
export function bruteLevels(candles: readonly Candle[], { reach, tolerance, memory, halfLife }: Options): BruteLevel[] {
  const now = candles.at(-1)?.time ?? 0;
  const turns = candles.flatMap((candle, index) => {
    const neighbours = candles.slice(Math.max(0, index - reach), index + reach + 1).filter((other) => other !== candle);
    if (neighbours.length < 2 * reach || now - candle.time > memory) return [];
    const tops = neighbours.every((other) => (other.time < candle.time ? other.high < candle.high : other.high <= candle.high));
    const bottoms = neighbours.every((other) => (other.time < candle.time ? other.low > candle.low : other.low >= candle.low));
    return [
      ...(tops ? [{ price: candle.high, time: candle.time, turned: 'high' as const }] : []),
      ...(bottoms ? [{ price: candle.low, time: candle.time, turned: 'low' as const }] : []),
    ];
  });
  turns.sort((a, b) => a.price - b.price || a.time - b.time);
  const levels: BruteLevel[] = [];
  let rest = turns;
  while (rest.length > 0) {
    let size = 1;
    while (size < rest.length && (rest[size]?.price ?? 0) - mean(rest.slice(0, size).map(({ price }) => price)) <= tolerance) size++;
    const members = rest.slice(0, size);
    rest = rest.slice(size);
    const times = members.map(({ time }) => time);
    const last = Math.max(...times);
    levels.push({
      price: mean(members.map(({ price }) => price)),
      touches: size,
      firstTouch: Math.min(...times),
      lastTouch: last,
      turned: members.find(({ time }) => time === last)?.turned ?? 'high',
      strength: times.reduce((sum, time) => sum + Math.exp((-Math.LN2 * (now - time)) / halfLife), 0),
    });
  }
  return levels;
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
