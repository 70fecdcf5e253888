import { createValue } from '../create-value.ts';
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

/** The user whose question was answered on this page, the last one if several signed in. */
const answered = createValue<string | undefined>(undefined);

/** Call when the answer to a question that this page asked, or that was open on it, is on the screen. */
export const reportAnswer = (userId: string): void => answered.set(userId);

/**
 * Calls `tell` when the user gets value from the app: an answer was shown, before or after this call, or the user opens a
 * second page on the third day of use. `now` in ms. Returns a function that stops it.
 */
export function onRealUse(userId: string, tell: () => void, now: number): () => void {
  const check = () => {
    if (answered.get() === userId) tell();
  };
  check();
  const stopAnswers = answered.subscribe(check);
  const stopPages = countVisit(now) ? history.listen(tell) : undefined;
  return () => {
    stopAnswers();
    stopPages?.();
  };
}
