import * as z from 'zod/mini';

// Zod's own length checks also run on values that are no text, and throw for an object with a `length` of its own.

/** Limits a text's length. Comes before any other check: an overlong text is not trimmed and meets no pattern. */
export const atMost = (max: number, error = `At most ${max} characters`) =>
  z.refine<string>((text) => text.length <= max, { error, abort: true });

export const notEmpty = (error?: string) => z.refine<string>((text) => text.length > 0, { error });

/** Limits how many members a list has. */
export const listOf = (max: number, min = 0) =>
  z.refine<unknown[]>((list) => list.length >= min && list.length <= max, `Must have ${min} to ${max} members`);

/** A text to search for, as it comes in a path; the router takes no more. */
export const searchText = z.string().check(atMost(300));

/** An id that is only compared with ones we know. */
export const idText = z.string().check(atMost(64));
