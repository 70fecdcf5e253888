import * as z from 'zod/mini';
import { uuid } from '#contract/chat/archive.ts';
import { atMost } from '#contract/text.ts';
import { badRequest } from '#server/http/errors.ts';
import type { Place } from './store.ts';

/** Limits years to those that PostgreSQL accepts. */
const TIME = /^[12]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const time = z.pipe(z.string().check(atMost(24), z.regex(TIME)), z.coerce.date());
const place = z.tuple([time, uuid]);

/** Returns the cursor of the page after a row. */
export const cursorOf = ({ createdAt, id }: Place): string => Buffer.from(`${createdAt.toISOString()} ${id}`).toString('base64url');

/** Parses a cursor of `cursorOf`. Throws 400 for any other text. */
export function placeOf(cursor: string): Place {
  const known = z.safeParse(place, Buffer.from(cursor, 'base64url').toString().split(' '));
  if (!known.success) throw badRequest('cursor', 'The cursor is not valid. Load the list again.');
  const [createdAt, id] = known.data;
  return { createdAt, id };
}
