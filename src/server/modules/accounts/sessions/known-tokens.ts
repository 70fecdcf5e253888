import type { Clock } from '#domain/clock.ts';
import type { Authenticate, Identity } from '#server/http/authenticate.ts';
import { createRecentMap } from '#server/recent-map.ts';

/** Cached tokens; those not used for longest are evicted. */
const MAX_TOKENS = 10_000;

interface Parts {
  /** Looks a token's session up. Verifies the token first, unless it has: `verified` is what it read from it. */
  identify: (token: string, verified?: Identity) => Promise<Identity>;
  clock: Clock;
  /** Monotonic time, ms: while a clock is set back, a token must not be trusted for longer. */
  elapsed?: () => number;
  /** Time from the start of a lookup for which it answers for the token, ms; never beyond the token's expiry. */
  trust: number;
}

interface Known {
  flight: Promise<Identity>;
  /** Set after the lookup. */
  identity?: Identity;
  /** When the lookup began: ms UTC, and by `elapsed`. What it read is as old as that, however late it ended. */
  since: number;
  began: number;
}

export interface KnownTokens {
  identify: Authenticate;
  /** Call when a session has ended: removes its tokens and all pending lookups. */
  forget(sessionId: string): void;
}

/** Caches token lookups, because a screen sends dozens of requests with one token. */
export function knownTokens({ identify, clock, elapsed = () => performance.now(), trust }: Parts): KnownTokens {
  const tokens = createRecentMap<string, Known>(MAX_TOKENS);

  async function look(token: string, verified: Identity | undefined): Promise<Identity> {
    const entry: Known = { since: clock(), began: elapsed(), flight: identify(token, verified) };
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

  return {
    identify(token) {
      const entry = tokens.get(token);
      if (entry && isTrusted(entry)) return entry.flight;
      // A signature stays valid until the token expires; only the session must be read again.
      const isVerified = entry?.identity !== undefined && clock() < entry.identity.expiresAt;
      return look(token, isVerified ? entry.identity : undefined);
    },
    forget(sessionId) {
      for (const [token, { identity }] of tokens.entries()) if (!identity || identity.sessionId === sessionId) tokens.delete(token);
    },
  };
}
