import type { Candle } from '#domain/market/candles.ts';

/** One page of candles of `length` ms: the newest ones that opened in [start, end], at most `limit`. */
export interface CandlePage {
  start?: number;
  end?: number;
  limit: number;
}

export interface PageReader {
  /** Candles in one answer. */
  readonly size: number;
  /** Returns a page of valid candles, oldest first. The last one may still be open. */
  read(length: number, page: CandlePage): Promise<Candle[]>;
}

/** Fills gaps with candles at the last close. */
export function unbroken(candles: readonly Candle[], length: number): Candle[] {
  const whole: Candle[] = [];
  for (const candle of candles) {
    for (let last = whole.at(-1); last && last.time + length < candle.time; last = whole.at(-1)) {
      const { close } = last;
      whole.push({ time: last.time + length, open: close, high: close, low: close, close, volume: 0 });
    }
    whole.push(candle);
  }
  return whole;
}

/** Loads the candles that opened in [from, to). */
export async function loadCandles({ size, read }: PageReader, length: number, from: number, to: number): Promise<Candle[]> {
  const loaded: Candle[] = [];
  for (let start = from; start < to; start += size * length) {
    const end = Math.min(to, start + size * length);
    const inside = ({ time }: Candle) => time >= start && time < end;
    const page = { start, end: end - 1, limit: size };
    let candles = (await read(length, page)).filter(inside);
    // Load again before accepting a gap.
    if (unbroken(candles, length).length !== candles.length) candles = (await read(length, page)).filter(inside);
    loaded.push(...candles);
  }
  return loaded;
}
