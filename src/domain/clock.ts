/** Milliseconds since 1970, UTC. Passed in wherever time matters, so that tests set it. */
export type Clock = () => number;

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
