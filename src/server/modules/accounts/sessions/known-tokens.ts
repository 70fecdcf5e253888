import type { Clock } from '#domain/clock.ts';
import type { Authenticate, Identity } from '#server/http/authenticate.ts';
import { createRecentMap } from '#server/recent-map.ts';

/** Cached tokens; those not used for longest are evicted. */
const MAX_TOKENS = 10_000;
/** Share of the trust period after which the sessions of all tokens in use are read again, in one query. */
const RENEW_AFTER = 0.4;

interface Parts {
  /** Looks a token's session up. Verifies the token first, unless it has: `verified` is what it read from it. */
  identify: (token: string, verified?: Identity) => Promise<Identity>;
  clock: Clock;
  /** Monotonic time, ms: while a clock is set back, a token must not be trusted for longer. */
  elapsed?: () => number;
  /** Time from the start of a lookup for which it answers for the token, ms; never beyond the token's expiry. */
  trust: number;
  /** Returns which of the sessions have ended. Without it, each token is looked up again after its trust period. */
  findEnded?: ((sessionIds: readonly string[]) => Promise<readonly string[]>) | undefined;
  /** Time after which a token is looked up again although its session was read meanwhile, ms. */
  lookUpEvery?: number;
}

interface Known {
  flight: Promise<Identity>;
  /** Set after the lookup. */
  identity?: Identity;
  /** When its last read began: ms UTC, and by `elapsed`. What was read is as old as that, however late the read ended. */
  since: number;
  began: number;
  /** When the lookup began, and when the token was last used, by `elapsed`. */
  looked: number;
  used: number;
}

export interface KnownTokens {
  identify: Authenticate;
  /** Call when a session has ended: removes its tokens and all pending lookups. */
  forget(sessionId: string): void;
}

/** Caches token lookups, because a screen sends dozens of requests with one token. */
export function knownTokens(parts: Parts): KnownTokens {
  const { identify, clock, elapsed = () => performance.now(), trust, findEnded, lookUpEvery = Number.POSITIVE_INFINITY } = parts;
  const tokens = createRecentMap<string, Known>(MAX_TOKENS);
  let isRenewing = false;

  async function look(token: string, verified: Identity | undefined): Promise<Identity> {
    const began = elapsed();
    const entry: Known = { since: clock(), began, looked: began, used: began, flight: identify(token, verified) };
    tokens.set(token, entry);
    try {
      entry.identity = await entry.flight;
      return entry.identity;
    } catch (error) {
      if (tokens.get(token) === entry) tokens.delete(token);
      throw error;
    }
  }

  const isTrusted = ({ identity, since, began }: Known): boolean => {
    const now = clock();
    return Math.abs(now - since) < trust && elapsed() - began < trust && (!identity || now < identity.expiresAt);
  };

  /** Trusts the tokens in use for longer, unless their sessions have ended. */
  async function renew(read: NonNullable<Parts['findEnded']>): Promise<void> {
    if (isRenewing) return;
    isRenewing = true;
    const [since, began] = [clock(), elapsed()];
    const isRenewable = (entry: Known) => isTrusted(entry) && began - entry.used < trust && began - entry.looked < lookUpEvery;
    const inUse = tokens
      .entries()
      .flatMap(([token, entry]) => (entry.identity && isRenewable(entry) ? { token, entry, ...entry.identity } : []));
    try {
      const ended = new Set(await read(inUse.map(({ sessionId }) => sessionId)));
      for (const { token, entry, sessionId } of inUse) {
        if (!ended.has(sessionId)) Object.assign(entry, { since, began });
        else if (tokens.get(token) === entry) tokens.delete(token);
      }
    } catch {
      // The next lookup fails too, and says so.
    } finally {
      isRenewing = false;
    }
  }

  return {
    identify(token) {
      const entry = tokens.get(token);
      if (entry && isTrusted(entry)) {
        entry.used = elapsed();
        if (findEnded && entry.used - entry.began >= trust * RENEW_AFTER) void renew(findEnded);
        return entry.flight;
      }
      // A signature stays valid until the token expires; only the session must be read again.
      const isVerified = entry?.identity !== undefined && clock() < entry.identity.expiresAt;
      return look(token, isVerified ? entry.identity : undefined);
    },
    forget(sessionId) {
      for (const [token, { identity }] of tokens.entries()) if (!identity || identity.sessionId === sessionId) tokens.delete(token);
    },
  };
}
