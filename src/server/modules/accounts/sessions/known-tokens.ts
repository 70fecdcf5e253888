import type { Clock } from '#domain/clock.ts';
import type { Authenticate, Identity } from '#server/http/authenticate.ts';

/** Tokens kept at a time; the one that came first goes first. */
const MOST_TOKENS = 10_000;

interface Parts {
  /** Reads a token and looks its session up. */
  identify: Authenticate;
  clock: Clock;
  /** How long a token is believed without looking again, ms; never beyond its own end. */
  trust: number;
}

interface Known {
  flight: Promise<Identity>;
  /** Once it is known. */
  identity?: Identity;
  /** ms UTC. */
  until: number;
}

export interface KnownTokens {
  identify: Authenticate;
  /** Due when a session has ended: its tokens are looked at anew, and so is whatever is being looked at right now. */
  forget(sessionId: string): void;
}

/** Whose a token is, looked up once: a session is asked for dozens of times while its screen is drawn. */
export function knownTokens({ identify, clock, trust }: Parts): KnownTokens {
  const tokens = new Map<string, Known>();

  async function look(token: string): Promise<Identity> {
    const entry: Known = { flight: identify(token), until: Number.POSITIVE_INFINITY };
    tokens.set(token, entry);
    for (const oldest of tokens.keys()) {
      if (tokens.size <= MOST_TOKENS) break;
      tokens.delete(oldest);
    }
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
