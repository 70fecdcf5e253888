import { DAY, MINUTE } from '#domain/clock.ts';
import type { Candle } from '#domain/market/candles.ts';

/** A file is invalid. The message is for its author. */
export class BadFile extends Error {}

const COLUMNS = ['timestamp', 'open', 'high', 'low', 'close', 'volume'] as const;
const MIN_INTERVAL_MS = 5 * MINUTE;
const MAX_INTERVAL_MS = DAY;

/** Reads the numbers of a CSV text whose header has at least these columns, in any order. Throws `BadFile`. */
export function readColumns(text: string, columns: readonly string[]): number[][] {
  const [header = '', ...rows] = text
    .replace(/^\uFEFF/, '')
    .trimEnd()
    .split(/\r?\n/);
  const names = header.split(',').map((name) => name.trim().toLowerCase());
  const places = columns.map((column) => names.indexOf(column));
  const missing = columns.filter((_, index) => places[index] === -1);
  if (missing.length > 0) throw new BadFile(`The first line has to name the columns; ${missing.join(', ')} not found.`);
  return rows.map((row, index) => {
    const cells = row.split(',');
    return places.map((place, column) => {
      const cell = cells[place];
      const value = cell ? Number(cell) : Number.NaN;
      if (!Number.isFinite(value)) throw new BadFile(`Line ${index + 2}: ${columns[column]} is no number.`);
      return value;
    });
  });
}

/** Reads candles of a CSV text with the columns timestamp (ms UTC), open, high, low, close, volume; oldest first. Throws `BadFile`. */
export function readCandles(text: string): Candle[] {
  let before = Number.NEGATIVE_INFINITY;
  return readColumns(text, COLUMNS).map(([time = 0, open = 0, high = 0, low = 0, close = 0, volume = 0], index) => {
    const wrong = (what: string) => new BadFile(`Line ${index + 2}: ${what}.`);
    if (time <= before) throw wrong('times have to rise from line to line');
    if (Math.min(open, high, low, close) <= 0) throw wrong('a price is not above 0');
    if (high < low) throw wrong('the high is below the low');
    if (Math.max(open, close) > high || Math.min(open, close) < low) throw wrong('open or close is outside low and high');
    if (volume < 0) throw wrong('the volume is below 0');
    before = time;
    return { time, open, high, low, close, volume };
  });
}

/** Returns the candles' length, ms: the most common distance between two. Throws `BadFile` for a length that bots cannot trade. */
export function intervalOf(candles: readonly Candle[]): number {
  const counts = new Map<number, number>();
  for (let index = 1; index < candles.length; index++) {
    const step = (candles[index] as Candle).time - (candles[index - 1] as Candle).time;
    counts.set(step, (counts.get(step) ?? 0) + 1);
  }
  const [interval] = [...counts].reduce((most, entry) => (entry[1] > most[1] ? entry : most), [Number.NaN, 0]);
  if (Number.isNaN(interval)) throw new BadFile('There are fewer than two candles.');
  if (interval < MIN_INTERVAL_MS || interval > MAX_INTERVAL_MS)
    throw new BadFile(`Going by their times in ms, candles are of ${minutes(interval)}; they have to be of 5 minutes to a day.`);
  const odd = candles.findIndex(({ time }, index) => index > 0 && (time - (candles[index - 1] as Candle).time) % interval !== 0);
  if (odd > 0) throw new BadFile(`Line ${odd + 2}: the time does not fit candles of ${minutes(interval)}.`);
  return interval;
}

const minutes = (ms: number): string => `${ms / MINUTE} ${ms === MINUTE ? 'minute' : 'minutes'}`;

/** Counts the candles that are missing between the first and the last. */
export const countMissing = (candles: readonly Candle[], interval: number): number =>
  candles.length < 2 ? 0 : ((candles.at(-1) as Candle).time - (candles[0] as Candle).time) / interval + 1 - candles.length;
