import { DAY, MINUTE } from '#domain/clock.ts';
import type { Candle } from '#domain/market/candles.ts';
import { parseResult } from './answers.ts';
import type { Connections } from './connection.ts';
import { klines, readKlines, unbroken } from './klines.ts';
import { MARKET } from './market.ts';

export type MarketConnections = Pick<Connections, 'now' | 'updateClock' | 'public'>;

/** Candles in one answer. */
const PAGE = 1000;

/** Requests a page of candles, and corrects the clock offset. */
export async function readPage(
  connections: MarketConnections,
  length: number,
  params: { start?: number; end?: number; limit: number },
): Promise<Candle[]> {
  const answer = await connections.public.read('publicGetV5MarketKline', { ...MARKET, interval: nameOf(length), ...params });
  connections.updateClock(answer.time);
  return readKlines(parseResult(klines, answer.result), length, answer.time);
}

/** Loads the candles that opened in [from, to). */
export async function loadCandles(connections: MarketConnections, length: number, from: number, to: number): Promise<Candle[]> {
  const loaded: Candle[] = [];
  for (let start = from; start < to; start += PAGE * length) {
    const end = Math.min(to, start + PAGE * length);
    const inside = ({ time }: Candle) => time >= start && time < end;
    const params = { start, end: end - 1, limit: PAGE };
    let candles = (await readPage(connections, length, params)).filter(inside);
    // Load again before accepting a gap.
    if (unbroken(candles, length).length !== candles.length) candles = (await readPage(connections, length, params)).filter(inside);
    loaded.push(...candles);
  }
  return loaded;
}

/** Returns Bybit's name of a candle length. */
const nameOf = (length: number): string => (length === DAY ? 'D' : String(length / MINUTE));
