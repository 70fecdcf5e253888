import { and, eq, isNull } from 'drizzle-orm';
import { RE_AUTHENTICATION_REQUIRED, WRONG_PASSWORD } from '#contract/account/sessions.ts';
import { type Clock, DAY, MINUTE } from '#domain/clock.ts';
import type { Audit } from '#server/audit.ts';
import type { Budget, Budgets } from '#server/budgets.ts';
import type { Db, Tx } from '#server/db/open.ts';
import { sessions } from '#server/db/schema/sessions.ts';
import type { Guesses } from '#server/guess-limits.ts';
import type { DemandProof, Identity } from '#server/http/authenticate.ts';
import { badRequest, forbidden, tooMany, unauthorized } from '#server/http/errors.ts';
import type { Networks } from '#server/http/network.ts';
import { passwordMatches } from '../passwords.ts';
import { findUser, lockUserRow } from '../store.ts';

/** Time for which a confirmed password counts for its session, ms. */
const PROOF_LIFE = 10 * MINUTE;
/** Password tries of one user's signed-in sessions. Logins are counted separately, so these lock no user out. */
const TRIES: readonly [name: string, budget: Budget][] = [
  ['short', { max: 10, span: 10 * MINUTE }],
  ['day', { max: 60, span: DAY }],
];
const REFUSED = 'The password is not correct.';

/** Checks whether the session confirmed the password recently. A login counts. */
export interface Proofs {
  /** Confirms the password for this session. Throws 400 for a wrong one, 429 after too many tries. */
  prove(identity: Identity, password: string, from: Networks): Promise<void>;
  demand: DemandProof;
}

interface Parts {
  db: Db;
  clock: Clock;
  budgets: Budgets;
  guesses: Guesses;
  audit: Audit;
}

export function createProofs({ db, clock, budgets, guesses, audit }: Parts): Proofs {
  return {
    async prove({ userId, sessionId }, password, from) {
      const network = from.wide;
      for (const [name, budget] of TRIES) {
        if (await budgets.take(`re-authentication ${name} ${userId}`, budget)) continue;
        audit.note('re-authentication-refused', { userId, network, about: 'too many tries' });
        throw tooMany();
      }
      // Counts against the login limits, but is never refused by them: the user's own budget limits it.
      const isCounted = await guesses.begin('password', from);
      const user = await findUser(db, userId);
      if (!(await passwordMatches(password, user?.passwordHash)) || !user) {
        audit.note('re-authentication-refused', { userId, network });
        throw badRequest(WRONG_PASSWORD, REFUSED, { fields: { password: REFUSED } });
      }
      if (isCounted) await guesses.wasRight('password', from);
      const isProven = await db.transaction(async (tx) => {
        // The password may have changed, or the session ended, since the check.
        if ((await lockUserRow(tx, userId))?.passwordHash !== user.passwordHash) return false;
        return markProven(tx, sessionId, new Date(clock()));
      });
      if (!isProven) throw unauthorized();
      audit.note('re-authentication', { userId, network });
    },

    async demand({ sessionId }) {
      const [session] = await db.select().from(sessions).where(eq(sessions.id, sessionId));
      if (!session || session.revokedAt) throw unauthorized();
      // A time in the future comes from a wrong clock, so compare in both directions.
      if (!session.provenAt || Math.abs(clock() - session.provenAt.getTime()) >= PROOF_LIFE)
        throw forbidden(RE_AUTHENTICATION_REQUIRED, 'Please confirm your password to continue.');
    },
  };
}

/** Stores that the user of a session confirmed who they are. Returns false for an ended session. */
export async function markProven(tx: Tx, sessionId: string, now: Date): Promise<boolean> {
  const proven = await tx
    .update(sessions)
    .set({ provenAt: now })
    .where(and(eq(sessions.id, sessionId), isNull(sessions.revokedAt)))
    .returning({ id: sessions.id });
  return proven.length > 0;
}
