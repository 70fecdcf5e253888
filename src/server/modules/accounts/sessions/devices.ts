import { and, desc, eq, exists, gt, isNull, sql } from 'drizzle-orm';
import { type Device, MAX_SESSIONS } from '#contract/account/sessions.ts';
import type { Clock } from '#domain/clock.ts';
import type { Db } from '#server/db/open.ts';
import { refreshTokens, sessions } from '#server/db/schema/sessions.ts';
import type { Identity } from '#server/http/authenticate.ts';
import { notFound } from '#server/http/errors.ts';
import { lockUserRow } from '../store.ts';
import { lastUse } from './last-use.ts';
import type { Sessions } from './sessions.ts';

/** A user's signed-in devices. */
export interface Devices {
  /** Returns the current session, then the others, last used first; at most MAX_SESSIONS. */
  list(identity: Identity): Promise<Device[]>;
  /** Ends one session of the user. Throws 404 when it has ended or belongs to another user. */
  end(identity: Identity, sessionId: string): Promise<void>;
  /** Ends all sessions except the current one and returns their number. */
  endOthers(identity: Identity): Promise<number>;
}

export function createDevices({ db, clock, sessions: all }: { db: Db; clock: Clock; sessions: Sessions }): Devices {
  return {
    async list({ userId, sessionId }) {
      // A session without a valid refresh token has ended, even if its row still exists.
      const token = db
        .select({ hash: refreshTokens.tokenHash })
        .from(refreshTokens)
        .where(and(eq(refreshTokens.sessionId, sessions.id), gt(refreshTokens.expiresAt, new Date(clock()))));
      const rows = await db
        .select()
        .from(sessions)
        .where(and(eq(sessions.userId, userId), isNull(sessions.revokedAt), exists(token)))
        .orderBy(desc(sql`${sessions.id} = ${sessionId}`), desc(lastUse), sessions.id)
        .limit(MAX_SESSIONS);
      return rows.map((row) => ({
        id: row.id,
        name: row.clientName,
        network: row.network,
        signed_in_at: row.createdAt.toISOString(),
        last_seen_at: (row.lastSeenAt ?? row.createdAt).toISOString(),
        current: row.id === sessionId,
      }));
    },

    async end({ userId }, sessionId) {
      const ended = await db.transaction((tx) => all.endOne(tx, userId, sessionId));
      if (ended.length === 0) throw notFound();
      all.tellEnded(userId, ended);
    },

    async endOthers({ userId, sessionId }) {
      const ended = await db.transaction(async (tx) => {
        // Serializes two devices that end each other at the same time.
        await lockUserRow(tx, userId);
        return all.endAll(tx, userId, sessionId);
      });
      all.tellEnded(userId, ended);
      return ended.length;
    },
  };
}
