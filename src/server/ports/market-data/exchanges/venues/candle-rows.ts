import * as z from 'zod/mini';
import type { Candle } from '#domain/market/candles.ts';
import { readRows } from '#server/ports/market-data/read-rows.ts';

const finite = z.pipe(z.union([z.string(), z.number()]), z.transform(Number)).check(z.refine(Number.isFinite, 'must be a number'));
/** A price or volume above it is an error of the exchange. */
const MAX = 1e15;
export const price = finite.check(z.positive(), z.maximum(MAX));
export const volume = finite.check(z.nonnegative(), z.maximum(MAX));
export const time = finite.check(z.nonnegative());

/** Time, open, high, low, close and volume; the rest is ignored. */
export const candleRow = z.tuple([time, price, price, price, price, volume], z.unknown());

/** Reads the candles of an answer. Throws when most cannot be read; none is an answer. */
export const readCandles = <Row>(data: unknown, row: z.ZodMiniType<Row>, candleOf: (row: Row) => Candle): Candle[] =>
  readRows(data, row).rows.map(candleOf);
