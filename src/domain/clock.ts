/** Milliseconds since 1970, UTC. Passed in wherever time matters, so that tests set it. */
export type Clock = () => number;

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
