import { and, eq, isNull } from 'drizzle-orm';
import { RE_AUTHENTICATION_REQUIRED, WRONG_PASSWORD } from '#contract/account/sessions.ts';
import { type Clock, DAY, MINUTE } from '#domain/clock.ts';
import type { Audit } from '#server/audit.ts';
import type { Budget, Budgets } from '#server/budgets.ts';
import type { Db } from '#server/db/open.ts';
import { sessions } from '#server/db/schema/sessions.ts';
import type { Guesses } from '#server/guess-limits.ts';
import type { DemandProof, Identity } from '#server/http/authenticate.ts';
import { badRequest, forbidden, tooMany, unauthorized } from '#server/http/errors.ts';
import type { Networks } from '#server/http/network.ts';
import { passwordMatches } from '../passwords.ts';
import { findUser, lockUserRow } from '../store.ts';

/** How long a password that was given counts for its session, ms. */
const PROOF_LIFE = 10 * MINUTE;
/** Passwords tried by the signed-in sessions of one user. Logging in is counted apart, so these lock nobody out. */
const TRIES: readonly [name: string, budget: Budget][] = [
  ['short', { max: 10, span: 10 * MINUTE }],
  ['day', { max: 60, span: DAY }],
];
const REFUSED = 'The password is not correct.';

/** Whether the user gave the password in this session a short while ago. A login counts; every process reads the same row. */
export interface Proofs {
  /** Takes the current password as a proof for this session. 400 for a wrong one, 429 once the user's tries are used up. */
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
      // Counted with the wrong passwords of logins, but never refused for those of others: the user's own budget bounds it.
      const isCounted = await guesses.begin('password', from);
      const user = await findUser(db, userId);
      if (!(await passwordMatches(password, user?.passwordHash)) || !user) {
        audit.note('re-authentication-refused', { userId, network });
        throw badRequest(WRONG_PASSWORD, REFUSED, { fields: { password: REFUSED } });
      }
      if (isCounted) await guesses.wasRight('password', from);
      const proven = await db.transaction(async (tx) => {
        // A password that was changed in the meantime, or a session that was ended, proves nothing.
        if ((await lockUserRow(tx, userId))?.passwordHash !== user.passwordHash) return [];
        return tx
          .update(sessions)
          .set({ provenAt: new Date(clock()) })
          .where(and(eq(sessions.id, sessionId), isNull(sessions.revokedAt)))
          .returning({ id: sessions.id });
      });
      if (proven.length === 0) throw unauthorized();
      audit.note('re-authentication', { userId, network });
    },

    async demand({ sessionId }) {
      const [session] = await db.select().from(sessions).where(eq(sessions.id, sessionId));
      if (!session || session.revokedAt) throw unauthorized();
      // Either way: a proof that lies in the future was made under a clock that was wrong.
      if (!session.provenAt || Math.abs(clock() - session.provenAt.getTime()) >= PROOF_LIFE)
        throw forbidden(RE_AUTHENTICATION_REQUIRED, 'Please confirm your password to continue.');
    },
  };
}
