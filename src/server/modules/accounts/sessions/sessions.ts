import { createHash, randomBytes } from 'node:crypto';
import { and, desc, eq, inArray, isNull, ne, type SQL, sql } from 'drizzle-orm';
import { jwtVerify, SignJWT } from 'jose';
import * as z from 'zod/mini';
import { MAX_SESSIONS } from '#contract/account/sessions.ts';
import { accessClaims, type Tokens } from '#contract/account/tokens.ts';
import { uuid } from '#contract/chat/archive.ts';
import { type Clock, DAY, MINUTE } from '#domain/clock.ts';
import type { Db, Tx } from '#server/db/open.ts';
import { refreshTokens, sessions } from '#server/db/schema/sessions.ts';
import { users } from '#server/db/schema/users.ts';
import type { Authenticate, Identity } from '#server/http/authenticate.ts';
import { forbidden, unauthorized } from '#server/http/errors.ts';
import type { SessionClient } from './client.ts';
import { findEnded } from './find-ended.ts';
import { knownTokens } from './known-tokens.ts';

const ACCESS_LIFE = 15 * MINUTE;
/** An unused device must log in again after this. */
const REFRESH_LIFE = 30 * DAY;
const ALGORITHM = 'HS256';
/** Time for which a token is trusted while other processes may end its session, ms. */
const TRUST_BESIDE_OTHERS = 1000;
/** Interval for storing when a session was last used, ms. */
const SEEN_EVERY = 5 * MINUTE;

/** The stored time when a session was last used. */
export const lastUse = sql`coalesce(${sessions.lastSeenAt}, ${sessions.createdAt})`;

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
  const key = new TextEncoder().encode(options.jwtSecret);
  const listeners = new Set<(sessionId: string) => void>();
  const reuseListeners = new Set<(userId: string) => void>();

  async function issue(tx: Tx, sessionId: string, user: typeof users.$inferSelect): Promise<Tokens> {
    const now = clock();
    const refreshToken = `${sessionId}.${randomBytes(32).toString('base64url')}`;
    await tx.insert(refreshTokens).values({
      tokenHash: hashOf(refreshToken),
      sessionId,
      expiresAt: new Date(now + REFRESH_LIFE),
      createdAt: new Date(now),
    });
    const issuedAt = Math.floor(now / 1000);
    const accessToken = await new SignJWT({ sid: sessionId, email: user.email, first_name: user.firstName, last_name: user.lastName })
      .setProtectedHeader({ alg: ALGORITHM })
      .setSubject(user.id)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + ACCESS_LIFE / 1000)
      .sign(key);
    return { accessToken, refreshToken };
  }

  /** Ends the matching open sessions and returns their ids. */
  async function revoke(tx: Tx, matching: SQL | undefined): Promise<string[]> {
    const open = await tx
      .update(sessions)
      .set({ revokedAt: new Date(clock()) })
      .where(and(isNull(sessions.revokedAt), matching))
      .returning({ id: sessions.id });
    const ids = open.map(({ id }) => id);
    if (ids.length > 0) await tx.delete(refreshTokens).where(inArray(refreshTokens.sessionId, ids));
    return ids;
  }

  /** Ends the least recently used sessions, so that one more fits. */
  async function makeRoom(tx: Tx, userId: string): Promise<string[]> {
    const oldest = await tx
      .select({ id: sessions.id })
      .from(sessions)
      .where(and(eq(sessions.userId, userId), isNull(sessions.revokedAt)))
      .orderBy(desc(lastUse), sessions.id)
      .offset(MAX_SESSIONS - 1);
    return oldest.length > 0
      ? revoke(
          tx,
          inArray(
            sessions.id,
            oldest.map(({ id }) => id),
          ),
        )
      : [];
  }

  const isDue = (seenAt: Date | null) => seenAt === null || Math.abs(clock() - seenAt.getTime()) >= SEEN_EVERY;

  const tellEnded = (sessionIds: readonly string[]) => {
    for (const sessionId of sessionIds) {
      known.forget(sessionId);
      for (const listener of listeners) listener(sessionId);
    }
  };

  async function identify(accessToken: string): Promise<Identity> {
    const claims = await readClaims(accessToken, key, clock);
    const [session] = await db
      .select({ lastSeenAt: sessions.lastSeenAt })
      .from(sessions)
      .where(and(eq(sessions.id, claims.sid), eq(sessions.userId, claims.sub), isNull(sessions.revokedAt)));
    if (!session) throw unauthorized();
    if (isDue(session.lastSeenAt))
      await db
        .update(sessions)
        .set({ lastSeenAt: new Date(clock()) })
        .where(eq(sessions.id, claims.sid));
    return { userId: claims.sub, sessionId: claims.sid, expiresAt: claims.exp * 1000 };
  }

  const known = knownTokens({ identify, clock, trust: options.alone ? SEEN_EVERY : TRUST_BESIDE_OTHERS });

  return {
    tellEnded,
    findEnded: (sessionIds) => findEnded(db, sessionIds),

    endAll: (tx, userId, keep) => revoke(tx, and(eq(sessions.userId, userId), keep === undefined ? undefined : ne(sessions.id, keep))),

    endOne: (tx, userId, sessionId) => revoke(tx, and(eq(sessions.userId, userId), eq(sessions.id, sessionId))),

    async endByHash(sessionId, tokenHash) {
      const token = await db.transaction(async (tx) => {
        const [found] = await tx
          .select({ userId: sessions.userId })
          .from(refreshTokens)
          .innerJoin(sessions, eq(sessions.id, refreshTokens.sessionId))
          .where(and(eq(refreshTokens.tokenHash, tokenHash), eq(sessions.id, sessionId)));
        if (found) await revoke(tx, eq(sessions.id, sessionId));
        return found;
      });
      if (token) tellEnded([sessionId]);
      return token?.userId;
    },

    onReused(listener) {
      reuseListeners.add(listener);
    },

    authenticate: known.identify,

    async open(tx, user, client) {
      if (user.erasingAt) throw forbidden('account_erased', 'This account is being deleted.');
      const ended = await makeRoom(tx, user.id);
      const now = new Date(clock());
      const [session] = await tx
        .insert(sessions)
        .values({ userId: user.id, clientName: client.name, network: client.network, lastSeenAt: now, provenAt: now, createdAt: now })
        .returning({ id: sessions.id });
      if (!session) throw new Error('a session was not stored');
      return { tokens: await issue(tx, session.id, user), tell: () => tellEnded(ended) };
    },

    async hasOpen(tx, userId) {
      const open = tx.select({ id: sessions.id }).from(sessions);
      return (await open.where(and(eq(sessions.userId, userId), isNull(sessions.revokedAt))).limit(1)).length > 0;
    },

    async refresh(refreshToken) {
      const sessionId = sessionOf(refreshToken);
      if (!sessionId) throw unauthorized();
      // Throw outside the transaction, so that ending the session is committed.
      const result = await db.transaction(async (tx): Promise<Tokens | 'unknown' | 'ended' | { reusedOf: string }> => {
        const [session] = await tx.select().from(sessions).where(eq(sessions.id, sessionId)).for('update');
        if (!session) return 'unknown';
        if (session.revokedAt) return 'ended';
        const tokenHash = hashOf(refreshToken);
        const [token] = await tx.select().from(refreshTokens).where(eq(refreshTokens.tokenHash, tokenHash));
        if (!token) {
          await revoke(tx, eq(sessions.id, sessionId));
          return { reusedOf: session.userId };
        }
        if (token.expiresAt.getTime() <= clock()) return 'unknown';
        if (isDue(session.lastSeenAt))
          await tx
            .update(sessions)
            .set({ lastSeenAt: new Date(clock()) })
            .where(eq(sessions.id, sessionId));
        if (!token.usedAt) {
          // The first use proves that the client received the token, so its predecessor and siblings can be deleted.
          await tx.delete(refreshTokens).where(and(eq(refreshTokens.sessionId, sessionId), ne(refreshTokens.tokenHash, tokenHash)));
          await tx
            .update(refreshTokens)
            .set({ usedAt: new Date(clock()) })
            .where(eq(refreshTokens.tokenHash, tokenHash));
        }
        const [user] = await tx.select().from(users).where(eq(users.id, session.userId));
        return user ? issue(tx, sessionId, user) : 'unknown';
      });
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

/** The database accepts only UUIDs. */
const claimsOfRows = z.extend(accessClaims, { sub: uuid, sid: uuid });

async function readClaims(accessToken: string, key: Uint8Array, clock: Clock) {
  try {
    const { payload } = await jwtVerify(accessToken, key, { algorithms: [ALGORITHM], currentDate: new Date(clock()) });
    return z.parse(claimsOfRows, payload);
  } catch {
    throw unauthorized();
  }
}

/** Returns the session that a refresh token names; null for other text. A rotated token has no row, but still names its session. */
function sessionOf(refreshToken: string): string | null {
  const [sessionId = '', secret = ''] = refreshToken.split('.');
  return secret && z.safeParse(uuid, sessionId).success ? sessionId.toLowerCase() : null;
}

/** 32 random bytes need no slow hash. */
const hashOf = (refreshToken: string) => createHash('sha256').update(refreshToken).digest('base64url');
