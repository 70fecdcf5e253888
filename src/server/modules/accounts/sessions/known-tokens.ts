import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '#domain/clock.ts';
import type { Authenticate, Identity } from '#server/http/authenticate.ts';
import { createRecentMap } from '#server/recent-map.ts';

/** Cached tokens; those not used for longest are evicted. */
const MAX_TOKENS = 10_000;
/** Share of the trust period after which the sessions of all tokens in use are read again, in one query. */
const RENEW_AFTER = 0.4;
/** Trust periods after its last use for which a token is in use. */
const IN_USE = 30;

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

/** A query for the sessions of all tokens in use. */
interface Renewal {
  began: number;
  /** Resolves even if the query fails. */
  ended: Promise<void>;
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
  /** The query in progress. */
  let renewal: Renewal | undefined;

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

  const isInUse = ({ used, looked }: Known): boolean => elapsed() - used < IN_USE * trust && elapsed() - looked < lookUpEvery;

  /** Trusts the tokens in use from now on, unless their sessions have ended. */
  async function readSessions(read: NonNullable<Parts['findEnded']>): Promise<void> {
    const [since, began] = [clock(), elapsed()];
    const inUse = tokens
      .entries()
      .flatMap(([token, entry]) => (entry.identity && isInUse(entry) ? { token, entry, ...entry.identity } : []));
    const ended = new Set(await read(inUse.map(({ sessionId }) => sessionId)));
    for (const { token, entry, sessionId } of inUse) {
      if (!ended.has(sessionId)) Object.assign(entry, { since, began });
      else if (tokens.get(token) === entry) tokens.delete(token);
    }
  }

  /** Reads the sessions of all tokens in use, unless a query is in progress. If it fails, the next lookup fails too, and says so. */
  function renew(read: NonNullable<Parts['findEnded']>): Renewal {
    const end = () => {
      renewal = undefined;
    };
    renewal ??= { began: elapsed(), ended: readSessions(read).then(end, end) };
    return renewal;
  }

  return {
    async identify(token) {
      const entry = tokens.get(token);
      if (entry && isTrusted(entry)) {
        entry.used = elapsed();
        if (findEnded && entry.used - entry.began >= trust * RENEW_AFTER) renew(findEnded);
        return entry.flight;
      }
      // A signature stays valid until the token expires; only the session must be read again.
      const isVerified = entry?.identity !== undefined && clock() < entry.identity.expiresAt;
      if (!isVerified) return look(token, undefined);
      if (findEnded && isInUse(entry)) {
        entry.used = elapsed();
        const { began, ended } = renew(findEnded);
        // A query that takes longer can make no token trusted.
        await Promise.race([ended, pause(began + trust - elapsed(), undefined, { ref: false })]);
      }
      const found = tokens.get(token);
      return found && isTrusted(found) ? found.flight : look(token, entry.identity);
    },
    forget(sessionId) {
      for (const [token, { identity }] of tokens.entries()) if (!identity || identity.sessionId === sessionId) tokens.delete(token);
    },
  };
}
