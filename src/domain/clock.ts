/** Milliseconds since 1970, UTC. A parameter wherever time matters, so that tests can set it. */
export type Clock = () => number;

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** A stored time further in the future than this means that the clock was set back, ms. */
export const CLOCK_ROLLBACK_LIMIT = MINUTE;

/** Whether `ms` have passed since a stored time. They have, if the time is so far ahead that the clock was set back. */
export const hasElapsed = (now: number, since: number, ms: number): boolean => now - since >= ms || since - now > CLOCK_ROLLBACK_LIMIT;

/** Returns the day (UTC) of a time, ms: YYYY-MM-DD. */
export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);
