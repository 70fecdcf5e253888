import { and, eq, isNull, ne, type SQL } from 'drizzle-orm';
import type { Tokens } from '#contract/account/tokens.ts';
import type { Clock } from '#domain/clock.ts';
import type { Db, Tx } from '#server/db/open.ts';
import { sessions } from '#server/db/schema/sessions.ts';
import type { users } from '#server/db/schema/users.ts';
import type { Authenticate } from '#server/http/authenticate.ts';
import { forbidden, unauthorized } from '#server/http/errors.ts';
import type { SessionClient } from './client.ts';
import { findEnded } from './find-ended.ts';
import { identify } from './identify.ts';
import { knownTokens } from './known-tokens.ts';
import { SEEN_EVERY } from './last-use.ts';
import { revokeByHash, revokeOldest, revokeSessions } from './revoke.ts';
import { rotateToken } from './rotate-token.ts';
import { createTokenIssuer, sessionOf } from './tokens.ts';

/** Time for which a token is trusted while other processes may end its session, ms. */
const TRUST_BESIDE_OTHERS = 1000;

export interface Sessions {
  authenticate: Authenticate;
  /** Opens a session after a login, and ends the least recently used one beyond MAX_SESSIONS. Lock the user's row first; call `tell` */
  /** after the commit. */
  open(tx: Tx, user: typeof users.$inferSelect, client: SessionClient): Promise<{ tokens: Tokens; tell: () => void }>;
  /** Returns whether the user has an open session. */
  hasOpen(tx: Tx, userId: string): Promise<boolean>;
  /** Rotates a refresh token. Throws 401 when it is unknown or expired, 403 when it was reused or the session has ended. */
  refresh(refreshToken: string): Promise<Tokens>;
  /** Ends a session. Throws 403 when the refresh token belongs to another one. */
  end(sessionId: string, refreshToken: string): Promise<void>;
  /** Ends a user's sessions except `keep` and returns their ids. Call `tellEnded` with them after the commit. */
  endAll(tx: Tx, userId: string, keep?: string): Promise<string[]>;
  /** Ends one open session of a user. Returns its id for `tellEnded`, or an empty list. */
  endOne(tx: Tx, userId: string, sessionId: string): Promise<string[]>;
  /** Ends a session by the hash of a valid refresh token. Returns its user, or undefined for other hashes. */
  endByHash(sessionId: string, tokenHash: string): Promise<string | undefined>;
  tellEnded(sessionIds: readonly string[]): void;
  /** Returns which of the sessions have ended, in any process. */
  findEnded(sessionIds: readonly string[]): Promise<string[]>;
  /** Calls the listener with the user whose session ended because a rotated refresh token was reused. */
  onReused(listener: (userId: string) => void): void;
  /** Calls the listener for sessions that end in this process. Returns a function that unsubscribes. */
  onEnded(listener: (sessionId: string) => void): () => void;
}

interface Parts {
  db: Db;
  clock: Clock;
  jwtSecret: string;
  /** Whether no other process uses this database. */
  alone: boolean;
}

export function createSessions(options: Parts): Sessions {
  const { db, clock } = options;
  const tokens = createTokenIssuer(options);
  const listeners = new Set<(sessionId: string) => void>();
  const reuseListeners = new Set<(userId: string) => void>();

  const revoke = (tx: Tx, matching: SQL | undefined) => revokeSessions(tx, new Date(clock()), matching);

  const tellEnded = (sessionIds: readonly string[]) => {
    for (const sessionId of sessionIds) {
      known.forget(sessionId);
      for (const listener of listeners) listener(sessionId);
    }
  };

  const known = knownTokens({
    identify: (accessToken) => identify({ db, clock, tokens }, accessToken),
    clock,
    trust: options.alone ? SEEN_EVERY : TRUST_BESIDE_OTHERS,
  });

  return {
    tellEnded,
    findEnded: (sessionIds) => findEnded(db, sessionIds),

    endAll: (tx, userId, keep) => revoke(tx, and(eq(sessions.userId, userId), keep === undefined ? undefined : ne(sessions.id, keep))),

    endOne: (tx, userId, sessionId) => revoke(tx, and(eq(sessions.userId, userId), eq(sessions.id, sessionId))),

    async endByHash(sessionId, tokenHash) {
      const userId = await db.transaction((tx) => revokeByHash(tx, new Date(clock()), sessionId, tokenHash));
      if (userId !== undefined) tellEnded([sessionId]);
      return userId;
    },

    onReused: (listener) => void reuseListeners.add(listener),

    authenticate: known.identify,

    async open(tx, user, client) {
      if (user.erasingAt) throw forbidden('account_erased', 'This account is being deleted.');
      const ended = await revokeOldest(tx, new Date(clock()), user.id);
      const now = new Date(clock());
      const [session] = await tx
        .insert(sessions)
        .values({ userId: user.id, clientName: client.name, network: client.network, lastSeenAt: now, provenAt: now, createdAt: now })
        .returning({ id: sessions.id });
      if (!session) throw new Error('a session was not stored');
      return { tokens: await tokens.issue(tx, session.id, user), tell: () => tellEnded(ended) };
    },

    hasOpen: hasOpenSession,

    async refresh(refreshToken) {
      const sessionId = sessionOf(refreshToken);
      if (!sessionId) throw unauthorized();
      // Throw outside the transaction, so that ending the session is committed.
      const result = await db.transaction((tx) => rotateToken(tx, { clock, tokens }, sessionId, refreshToken));
      if (result === 'unknown') throw unauthorized();
      if (result !== 'ended' && 'accessToken' in result) return result;
      if (result !== 'ended') {
        tellEnded([sessionId]);
        for (const listener of reuseListeners) listener(result.reusedOf);
      }
      throw forbidden('session_ended', 'This session has ended. Please log in again.');
    },

    async end(sessionId, refreshToken) {
      if (sessionOf(refreshToken) !== sessionId) throw forbidden('session_mismatch', 'This token belongs to another session.');
      await db.transaction((tx) => revoke(tx, eq(sessions.id, sessionId)));
      tellEnded([sessionId]);
    },

    onEnded(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

async function hasOpenSession(tx: Tx, userId: string): Promise<boolean> {
  const open = tx.select({ id: sessions.id }).from(sessions);
  return (await open.where(and(eq(sessions.userId, userId), isNull(sessions.revokedAt))).limit(1)).length > 0;
}
