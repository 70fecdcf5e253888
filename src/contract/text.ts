import * as z from 'zod/mini';

// Zod's own length checks also run on values of other types, and throw for an object with its own `length`.

/** Limits a text's length. Runs before other checks, so an overlong text is neither trimmed nor matched. `error` may be made when it is needed. */
export const atMost = (max: number, error: string | (() => string) = `At most ${max} characters`) =>
  z.refine<string>((text) => text.length <= max, { error, abort: true });

export const notEmpty = (error?: string) => z.refine<string>((text) => text.length > 0, { error });

/** Limits the number of items in a list. */
export const listOf = (max: number, min = 0) =>
  z.refine<unknown[]>((list) => list.length >= min && list.length <= max, `Must have ${min} to ${max} members`);

/** A search text in a path. The router accepts no more. */
export const searchText = z.string().check(atMost(300));

/** An id that is only compared with known ones. */
export const idText = z.string().check(atMost(64));
