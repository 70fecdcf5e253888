import { MINUTE, SECOND } from '#domain/clock.ts';
import type { Reply } from './faults.ts';

/** How long Bybit bans an address, ms. */
const BAN = 10 * MINUTE;
/** Bybit's limit of requests from one address. */
const LIMIT = { requests: 600, span: 5 * SECOND };

export type Address = ReturnType<typeof createAddress>;

/** Creates the network address of all callers. Bybit counts its requests, whatever their key, and bans it for ten minutes. */
export function createAddress(now: () => number) {
  let limit: typeof LIMIT | undefined;
  let recent: number[] = [];
  let bannedTo = 0;
  const counts = { requests: 0, refused: 0 };

  return {
    /** Requests so far, and those that were refused with HTTP 403. */
    counts: counts as Readonly<typeof counts>,

    /** Counts requests from now on, and bans the address beyond the limit. */
    limit(to = LIMIT): void {
      limit = to;
      recent = [];
    },

    ban(): void {
      bannedTo = now() + BAN;
    },

    /** Ends a ban and the limit. */
    forgive(): void {
      limit = undefined;
      bannedTo = 0;
    },

    /** Counts a request. Returns the answer to one from a banned address. */
    receive(): Reply | undefined {
      const at = now();
      counts.requests++;
      if (limit) {
        const since = at - limit.span;
        const first = recent.findIndex((time) => time > since);
        recent = [...(first < 0 ? [] : recent.slice(first)), at];
        if (recent.length > limit.requests) bannedTo = Math.max(bannedTo, at + BAN);
      }
      if (at >= bannedTo) return undefined;
      counts.refused++;
      return { status: 403, headers: { 'content-type': 'text/html' }, body: 'access too frequent' };
    },
  };
}
