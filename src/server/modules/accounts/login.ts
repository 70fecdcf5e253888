import { and, eq } from 'drizzle-orm';
import type { LoginBody } from '#contract/account/account.ts';
import type { Tokens } from '#contract/account/tokens.ts';
import { DAY } from '#domain/clock.ts';
import type { Audit } from '#server/audit.ts';
import type { Budgets } from '#server/budgets.ts';
import type { Db, Tx } from '#server/db/open.ts';
import { sessions as sessionRows } from '#server/db/schema/sessions.ts';
import type { Guesses } from '#server/guess-limits.ts';
import { badRequest, tooMany } from '#server/http/errors.ts';
import type { Networks } from '#server/http/network.ts';
import type { Notify } from '../notifications/service.ts';
import { passwordMatches } from './passwords.ts';
import { findRegistrations } from './registrations/store.ts';
import { SIGNED_IN } from './security-notices.ts';
import type { SessionClient } from './sessions/client.ts';
import type { Sessions } from './sessions/sessions.ts';
import { findUserByEmail, lockUserRow, normalEmail, type UserRow } from './store.ts';

/** Opens a session and notifies the user's other devices. Lock the user's row first; call `tell` after the commit. */
export type OpenSignIn = (tx: Tx, user: UserRow, client: SessionClient) => Promise<{ tokens: Tokens; tell: () => void }>;

export interface Login {
  openSignIn: OpenSignIn;
  /** Opens a session. Throws 400 for a wrong password or unverified address, 429 when too many passwords were wrong. */
  login(body: LoginBody, client: SessionClient, from: Networks): Promise<Tokens>;
  /** Exempts a user who proved their identity by mail from the guess limits of that network, for the rest of the day. */
  allow(userId: string, from: Networks): Promise<void>;
}

export function createLogin(options: {
  db: Db;
  sessions: Sessions;
  budgets: Budgets;
  guesses: Guesses;
  notify: Notify;
  audit: Audit;
}): Login {
  const { db, budgets, guesses, audit } = options;
  const openSignIn = createOpenSignIn(options);

  const allowKey = (userId: string, from: Networks) => `password reset of ${userId} from ${from.wide}`;

  /** Returns whether the user has a session from this neighborhood, or proved their identity by mail today. */
  async function isKnown(user: UserRow | undefined, from: Networks): Promise<boolean> {
    if (!user) return false;
    const there = and(eq(sessionRows.userId, user.id), eq(sessionRows.network, from.wide));
    const [session] = await db.select({ id: sessionRows.id }).from(sessionRows).where(there).limit(1);
    return session !== undefined || (await budgets.used(allowKey(user.id, from), DAY)) > 0;
  }

  /** Returns what the password belongs to: a user, or a registration that awaits verification. */
  async function holderOf(user: UserRow | undefined, email: string, password: string): Promise<'user' | 'registration' | null> {
    if (user) return (await passwordMatches(password, user.passwordHash)) ? 'user' : null;
    const waiting = await findRegistrations(db, email);
    for (const { passwordHash } of waiting) if (await passwordMatches(password, passwordHash)) return 'registration';
    // Unknown addresses take the same time.
    if (waiting.length === 0) await passwordMatches(password, undefined);
    return null;
  }

  return {
    openSignIn,
    allow: async (userId, from) => void (await budgets.take(allowKey(userId, from), { max: 1, span: DAY })),

    async login(body, client, from) {
      const email = normalEmail(body.email);
      const user = await findUserByEmail(db, email);
      const refused = (about: string) => audit.note('sign-in-refused', { userId: user?.id, network: from.wide, about });
      const isCovered = await guesses.begin('password', from);
      if (!isCovered && !(await isKnown(user, from))) {
        refused('budget');
        throw tooMany('Too many wrong passwords today. Use "Forgot Password?": our mail lets you in.');
      }
      const holder = await holderOf(user, email, body.password).catch(async (error: unknown) => {
        // A password that was not checked is no guess.
        if (isCovered) await guesses.wasRight('password', from);
        throw error;
      });
      if (holder === null) {
        refused('wrong password');
        throw wrongCredentials();
      }
      if (isCovered) await guesses.wasRight('password', from);
      if (holder === 'registration' || !user?.verifiedAt) {
        refused('not verified');
        throw badRequest('not_verified', 'Please verify your email address first.', { isVerified: 2 });
      }
      const { tokens, tell } = await db.transaction(async (tx) => {
        // The password may have changed since it was checked.
        const current = await lockUserRow(tx, user.id);
        if (current?.passwordHash !== user.passwordHash) throw wrongCredentials();
        return openSignIn(tx, current, client);
      });
      tell();
      audit.note('sign-in', { userId: user.id, network: from.wide });
      return tokens;
    },
  };
}

const createOpenSignIn =
  ({ sessions, notify }: { sessions: Sessions; notify: Notify }): OpenSignIn =>
  async (tx, user, client) => {
    const show = (await sessions.hasOpen(tx, user.id)) ? await notify(tx, user.id, SIGNED_IN) : () => undefined;
    const { tokens, tell } = await sessions.open(tx, user, client);
    return {
      tokens,
      tell: () => {
        tell();
        show();
      },
    };
  };

const wrongCredentials = () => badRequest('invalid_credentials', 'Invalid email or password', { isVerified: 1 });
