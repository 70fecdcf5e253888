import { EventEmitter } from 'node:events';
import { and, eq, isNull, ne, type SQL } from 'drizzle-orm';
import type { Tokens } from '#contract/account/tokens.ts';
import type { Clock } from '#domain/clock.ts';
import type { Db, Tx } from '#server/db/open.ts';
import { sessions } from '#server/db/schema/sessions.ts';
import type { users } from '#server/db/schema/users.ts';
import type { Authenticate, Identity } from '#server/http/authenticate.ts';
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
  /** Ends the user's session. Throws 403 when the refresh token belongs to another one. */
  end(session: Pick<Identity, 'userId' | 'sessionId'>, refreshToken: string): Promise<void>;
  /** Ends a user's sessions except `keep` and returns their ids. Call `tellEnded` with them after the commit. */
  endAll(tx: Tx, userId: string, keep?: string): Promise<string[]>;
  /** Ends one open session of a user. Returns its id for `tellEnded`, or an empty list. */
  endOne(tx: Tx, userId: string, sessionId: string): Promise<string[]>;
  /** Ends a session by the hash of a valid refresh token. Returns its user, or undefined for other hashes. */
  endByHash(sessionId: string, tokenHash: string): Promise<string | undefined>;
  /** Ends the sockets of a user's ended sessions, in every process. */
  tellEnded(userId: string, sessionIds: readonly string[]): void;
  /** Ends the sockets of ended sessions in this process. */
  endHere(sessionIds: readonly string[]): void;
  /** Returns which of the sessions have ended, in any process. */
  findEnded(sessionIds: readonly string[]): Promise<string[]>;
  /** Calls the listener with the user whose session ended because a rotated refresh token was reused. */
  onReused(listener: (userId: string) => void): void;
  /** Calls the listener for each session that this process ends. */
  onRevoked(listener: (userId: string, sessionId: string) => void): void;
  /** Calls the listener for each session that has ended in any process. Returns a function that unsubscribes. */
  onEnded(listener: (sessionId: string) => void): () => void;
}

class SessionEvents extends EventEmitter<{
  ended: [sessionId: string];
  revoked: [userId: string, sessionId: string];
  reused: [userId: string];
}> {}

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
  const events = new SessionEvents();

  const revoke = (tx: Tx, matching: SQL | undefined) => revokeSessions(tx, new Date(clock()), matching);

  const endHere = (sessionIds: readonly string[]) => {
    for (const sessionId of sessionIds) {
      known.forget(sessionId);
      events.emit('ended', sessionId);
    }
  };

  const tellEnded = (userId: string, sessionIds: readonly string[]) => {
    endHere(sessionIds);
    for (const sessionId of sessionIds) events.emit('revoked', userId, sessionId);
  };
  const known = knownTokens({
    identify: (accessToken, verified) => identify({ db, clock, tokens }, accessToken, verified),
    clock,
    lookUpEvery: SEEN_EVERY,
    ...(options.alone ? { trust: SEEN_EVERY } : { trust: TRUST_BESIDE_OTHERS, findEnded: (ids) => findEnded(db, ids) }),
  });

  return {
    tellEnded,
    endHere,
    findEnded: (sessionIds) => findEnded(db, sessionIds),

    endAll: (tx, userId, keep) => revoke(tx, and(eq(sessions.userId, userId), keep === undefined ? undefined : ne(sessions.id, keep))),

    endOne: (tx, userId, sessionId) => revoke(tx, and(eq(sessions.userId, userId), eq(sessions.id, sessionId))),

    async endByHash(sessionId, tokenHash) {
      const userId = await db.transaction((tx) => revokeByHash(tx, new Date(clock()), sessionId, tokenHash));
      if (userId !== undefined) tellEnded(userId, [sessionId]);
      return userId;
    },

    onRevoked: (listener) => void events.on('revoked', listener),
    onReused: (listener) => void events.on('reused', listener),

    authenticate: known.identify,

    async open(tx, user, client) {
      if (user.erasingAt) throw forbidden('account_erased', 'This account is being deleted.');
      const ended = await revokeOldest(tx, new Date(clock()), user.id);
      const sessionId = await insertSession(tx, new Date(clock()), user.id, client);
      return { tokens: await tokens.issue(tx, sessionId, user), tell: () => tellEnded(user.id, ended) };
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
        tellEnded(result.reusedOf, [sessionId]);
        events.emit('reused', result.reusedOf);
      }
      throw forbidden('session_ended', 'This session has ended. Please log in again.');
    },

    async end({ userId, sessionId }, refreshToken) {
      if (sessionOf(refreshToken) !== sessionId) throw forbidden('session_mismatch', 'This token belongs to another session.');
      await db.transaction((tx) => revoke(tx, eq(sessions.id, sessionId)));
      tellEnded(userId, [sessionId]);
    },

    onEnded(listener) {
      events.on('ended', listener);
      return () => void events.off('ended', listener);
    },
  };
}

async function insertSession(tx: Tx, now: Date, userId: string, client: SessionClient): Promise<string> {
  const [session] = await tx
    .insert(sessions)
    .values({ userId, clientName: client.name, network: client.network, lastSeenAt: now, provenAt: now, createdAt: now })
    .returning({ id: sessions.id });
  if (!session) throw new Error('a session was not stored');
  return session.id;
}

async function hasOpenSession(tx: Tx, userId: string): Promise<boolean> {
  const open = tx.select({ id: sessions.id }).from(sessions);
  return (await open.where(and(eq(sessions.userId, userId), isNull(sessions.revokedAt))).limit(1)).length > 0;
}
