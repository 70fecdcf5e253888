import { randomBytes } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import * as z from 'zod/mini';
import { accessClaims, type Tokens } from '#contract/account/tokens.ts';
import { uuid } from '#contract/chat/archive.ts';
import { type Clock, DAY, MINUTE } from '#domain/clock.ts';
import type { Tx } from '#server/db/open.ts';
import { refreshTokens } from '#server/db/schema/sessions.ts';
import type { users } from '#server/db/schema/users.ts';
import { unauthorized } from '#server/http/errors.ts';
import { hashOf } from '#server/tokens/random-tokens.ts';

const ACCESS_LIFE = 15 * MINUTE;
/** An unused device must log in again after this. */
const REFRESH_LIFE = 30 * DAY;
const ALGORITHM = 'HS256';

/** The database accepts only UUIDs. */
const claimsOfRows = z.extend(accessClaims, { sub: uuid, sid: uuid });

export interface TokenIssuer {
  /** Stores a new refresh token of the session and signs an access token. */
  issue(tx: Tx, sessionId: string, user: typeof users.$inferSelect): Promise<Tokens>;
  /** Returns the claims of an access token. Throws 401 when it is wrong or expired. */
  readClaims(accessToken: string): Promise<z.infer<typeof claimsOfRows>>;
}

export function createTokenIssuer({ clock, jwtSecret }: { clock: Clock; jwtSecret: string }): TokenIssuer {
  const key = new TextEncoder().encode(jwtSecret);

  return {
    async issue(tx: Tx, sessionId: string, user: typeof users.$inferSelect): Promise<Tokens> {
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
    },

    async readClaims(accessToken) {
      try {
        const { payload } = await jwtVerify(accessToken, key, { algorithms: [ALGORITHM], currentDate: new Date(clock()) });
        return z.parse(claimsOfRows, payload);
      } catch {
        throw unauthorized();
      }
    },
  };
}

/** Returns the session that a refresh token names; null for other text. A rotated token has no row, but still names its session. */
export function sessionOf(refreshToken: string): string | null {
  const [sessionId = '', secret = ''] = refreshToken.split('.');
  return secret && z.safeParse(uuid, sessionId).success ? sessionId.toLowerCase() : null;
}
