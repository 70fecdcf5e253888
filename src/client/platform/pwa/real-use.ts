import { liveQuery } from 'dexie';
import type { UserDb } from '../db/user-db.ts';
import { history } from '../router/history.ts';

/** localStorage key: the first days on which the app was used on this device. */
const DAYS = 'visit-days';
const REQUIRED_DAYS = 3;

function readDays(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(DAYS) ?? '[]');
    return Array.isArray(stored) ? stored.filter((day) => typeof day === 'string') : [];
  } catch {
    return [];
  }
}

/** Counts today, by the device's calendar, and returns whether it is at least the third day. `now` in ms. */
function countVisit(now: number): boolean {
  const days = [...new Set([...readDays(), new Date(now).toDateString()])].slice(0, REQUIRED_DAYS);
  localStorage.setItem(DAYS, JSON.stringify(days));
  return days.length >= REQUIRED_DAYS;
}

/** Calls `tell` for each answer to a question that was open on this page. Synced conversations do not count. */
function onAnswered(db: UserDb, tell: () => void): () => void {
  const open = new Set<string>();
  const compare = async (ids: string[]) => {
    for (const id of ids) open.add(id);
    const closed = [...open].filter((id) => !ids.includes(id));
    for (const id of closed) open.delete(id);
    const rows = await db.messages.bulkGet(closed);
    if (rows.some((row) => row?.ai_response && !row.failed)) tell();
  };
  const fail = (error: unknown) => console.error('answers could not be watched', error);
  const watching = liveQuery(() => db.messages.where('chat_status').equals('message').primaryKeys()).subscribe({
    next: (ids) => void compare(ids).catch(fail),
    error: fail,
  });
  return () => watching.unsubscribe();
}

/**
 * Calls `tell` when the user gets value from the app: a question is answered, or the user opens a second page on the
 * third day of use. `now` in ms.
 */
export function onRealUse(db: UserDb, tell: () => void, now: number): () => void {
  const stopAnswers = onAnswered(db, tell);
  const stopPages = countVisit(now) ? history.listen(tell) : undefined;
  return () => {
    stopAnswers();
    stopPages?.();
  };
}
