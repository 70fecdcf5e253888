import type { Clock } from '#domain/clock.ts';
import type { Authenticate, Identity } from '#server/http/authenticate.ts';
import { putNewest } from '#server/put-newest.ts';

/** Cached tokens; the oldest is evicted first. */
const MAX_TOKENS = 10_000;

interface Parts {
  /** Verifies a token and looks its session up. */
  identify: Authenticate;
  clock: Clock;
  /** Time for which a token is trusted without another lookup, ms; never beyond its expiry. */
  trust: number;
}

interface Known {
  flight: Promise<Identity>;
  /** Set after the lookup. */
  identity?: Identity;
  /** ms UTC. */
  until: number;
}

export interface KnownTokens {
  identify: Authenticate;
  /** Call when a session has ended: removes its tokens and all pending lookups. */
  forget(sessionId: string): void;
}

/** Caches token lookups, because a screen sends dozens of requests with one token. */
export function knownTokens({ identify, clock, trust }: Parts): KnownTokens {
  const tokens = new Map<string, Known>();

  async function look(token: string): Promise<Identity> {
    const entry: Known = { flight: identify(token), until: Number.POSITIVE_INFINITY };
    putNewest(tokens, token, entry, MAX_TOKENS);
    try {
      entry.identity = await entry.flight;
      entry.until = Math.min(entry.identity.expiresAt, clock() + trust);
      return entry.identity;
    } catch (error) {
      if (tokens.get(token) === entry) tokens.delete(token);
      throw error;
    }
  }

  return {
    identify(token) {
      const entry = tokens.get(token);
      return entry && clock() < entry.until ? entry.flight : look(token);
    },
    forget(sessionId) {
      for (const [token, { identity }] of tokens) if (!identity || identity.sessionId === sessionId) tokens.delete(token);
    },
  };
}
