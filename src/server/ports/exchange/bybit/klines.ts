import * as z from 'zod/mini';
import { type Candle, validCandles } from '#domain/market/candles.ts';
import { price, rowsOf, time, volume } from '../live/answers.ts';

/** Newest first; the newest may still be open. The rest of a row is its turnover. Rows of mark prices have no volume. */
const row = z.union([z.tuple([time, price, price, price, price, volume], z.unknown()), z.tuple([time, price, price, price, price])]);
export const klines = z.object({ list: rowsOf(row) });

/** Returns the valid candles of an answer, oldest first. */
export const readKlines = ({ list }: z.output<typeof klines>, length: number, now: number): Candle[] =>
  validCandles(
    list.map(([time, open, high, low, close, volume = 0]) => ({ time, open, high, low, close, volume })),
    length,
    now,
  );
