import * as z from 'zod/mini';

/** An answer's readable rows, the number of dropped ones, and the first error. */
export interface Rows<T> {
  rows: readonly T[];
  dropped: number;
  why: string;
}

/** Rows of one answer. Reading millions would hold up the process for seconds. */
const MAX_ROWS = 20_000;

/** Throws when `data` is not a list or has more than 20,000 entries, or when most entries are unreadable, because then the format has changed. */
export function readRows<T>(data: unknown, row: z.ZodMiniType<T>): Rows<T> {
  const listed = entriesOf(data);
  if (listed.length > MAX_ROWS) throw new Error(`the answer has ${listed.length} entries`);
  const rows: T[] = [];
  let why = '';
  for (const item of listed) {
    const read = z.safeParse(row, item);
    if (read.success) rows.push(read.data);
    else why ||= complaint(read.error);
  }
  const dropped = listed.length - rows.length;
  if (rows.length < dropped) throw new Error(`${dropped} of ${listed.length} entries could not be read, the first because of ${why}`);
  return { rows, dropped, why };
}

/** Most calls return a list; calls by id return an object keyed by id. */
function entriesOf(data: unknown): unknown[] {
  if (Array.isArray(data)) return data;
  if (typeof data === 'object' && data !== null) return Object.values(data);
  throw new Error('data is not a list');
}

/** Returns the first validation error with its path. */
export function complaint(error: z.core.$ZodError): string {
  const issue = error.issues[0];
  return issue ? `${issue.path.join('.') || 'all of it'}: ${issue.message}` : 'unreadable';
}
