import * as z from 'zod/mini';
import { atMost, listOf } from '#contract/text.ts';
import { noAnswer } from './errors.ts';

/** Reads a value that an exchange may leave out, or send as null. */
export const optional = <Shape extends z.ZodMiniType>(shape: Shape, fallback: z.output<Shape>) =>
  z.pipe(
    z.nullish(shape),
    z.transform((value): z.output<Shape> => value ?? fallback),
  );

/**
 * Exchanges send numbers as text, and a missing one as empty text. Any other text makes the answer unreadable: NaN is neither
 * below nor above a limit, so each check of money or of a stop would pass it.
 */
export const number = z
  .pipe(z.union([z.string().check(atMost(40)), z.number()]), z.transform(Number))
  .check(z.refine(Number.isFinite, 'must be a number'));
export const some = optional(number, 0);
/** The share of a position's value that funding moves. Empty text is no rate of 0. */
export const fundingRate = z.pipe(z.string().check(atMost(40), z.regex(/\d/)), z.transform(Number)).check(z.gte(-1), z.lte(1));
/** A quantity or a price; a negative one makes the answer unreadable too. */
export const amount = number.check(z.nonnegative());
export const someAmount = optional(amount, 0);
/** A time in ms that a date can hold. */
export const moment = amount.check(z.lte(8.64e15));
/** A time that is there: empty text counts as 0. */
export const knownMoment = moment.check(z.positive());
/** Longest text of an exchange: a cursor. Its ids and names are shorter. */
const MAX_TEXT = 500;
export const text = z.string().check(atMost(MAX_TEXT));
export const words = optional(text, '');
export const id = z.pipe(optional(z.union([text, z.number()]), ''), z.transform(String));

/** Most rows of an answer: a page of candles. Other pages are shorter. */
const MAX_ROWS = 1000;
/** A list of an answer. One that is too long counts as no answer, before its rows are read. */
export const rowsOf = <Row extends z.ZodMiniType>(row: Row, min = 0) =>
  z.pipe(z.array(z.unknown()).check(listOf(MAX_ROWS, min)), z.array(row));

/** Figures of a candle, which are text: prices, volumes, and a time in ms. */
const figure = z.pipe(z.string().check(atMost(40)), z.transform(Number));
export const price = figure.check(z.positive());
export const volume = figure.check(z.nonnegative());
export const time = z.pipe(z.string().check(atMost(15), z.regex(/^\d+$/)), z.transform(Number));

/** The step of a price or quantity, and a share of a value. */
export const step = z.pipe(z.string().check(atMost(32)), z.transform(Number)).check(z.positive());
export const share = z.pipe(z.union([z.string().check(atMost(32)), z.number()]), z.transform(Number)).check(z.positive(), z.lt(1));

/** Parses an answer. An unknown shape counts as no answer. */
export function parseResult<Shape extends z.ZodMiniType>(shape: Shape, result: unknown, write = false): z.output<Shape> {
  const read = z.safeParse(shape, result);
  if (!read.success) throw noAnswer(write, { how: 'its answer cannot be read' });
  return read.data;
}
