import type { StampRow } from '../db/user-db.ts';

/**
 * Returns whether an answer asked for at `askedAt`, ms, may miss a change that the server has stored since. A stamp of that change from
 * the future does not count: the device's clock was ahead.
 */
export const isOutdated = (askedAt: number, change: StampRow | undefined, now = Date.now()): boolean =>
  change !== undefined && change.savedAt >= askedAt && change.savedAt <= now;
