import { eq } from 'drizzle-orm';
import type { Clock } from '#domain/clock.ts';
import { PRODUCT } from '#domain/product.ts';
import type { Audit } from '#server/audit.ts';
import type { UserBlobs } from '#server/blobs/user-blobs.ts';
import type { Bots } from '#server/bots/bots.ts';
import { haltName } from '#server/bots/store/halts.ts';
import type { Db } from '#server/db/open.ts';
import { operatorSwitches } from '#server/db/schema/operations.ts';
import { users } from '#server/db/schema/users.ts';
import { notFound, Problem } from '#server/http/errors.ts';
import type { Sessions } from '#server/modules/accounts/sessions/sessions.ts';
import type { Mail, MailPort } from '#server/ports/mail/mail.ts';
import { type Deleted, deleteJobs, deleteRows } from './delete-rows.ts';
import type { Whose } from './plan.ts';

interface Parts {
  db: Db;
  clock: Clock;
  audit: Audit;
  sessions: Pick<Sessions, 'endAll' | 'tellEnded'>;
  closeAllBots: Bots['closeAllBots'];
  blobs: Pick<UserBlobs, 'removeOf'>;
  mail: MailPort;
  /** Deletes mail files to an address and returns how many; 0 with a mail server. */
  deleteMail: (email: string) => Promise<number>;
}

export interface Erasure {
  user: string;
  /** For the operator, who may have to write to this address; stored nowhere. */
  email: string;
  bots: Awaited<ReturnType<Bots['closeAllBots']>>;
  /** Whether the mail that says so went out. */
  mailed: boolean;
  mail_files: number;
  blobs: number;
  jobs: number;
  /** Deleted rows by table. */
  rows: Deleted;
}

/**
 * Deletes a user with everything of theirs. Killed at any moment it can be called again: the row of the user goes last. Throws
 * `Problem` for an unknown user, and when a bot could not be closed; then nothing is deleted yet.
 */
export async function erase(parts: Parts, userId: string): Promise<Erasure> {
  const { db, audit, closeAllBots, deleteMail } = parts;
  const user = await begin(parts, userId);
  audit.note('erasure', { userId, about: 'begun' });
  const bots = await closeAllBots(userId).catch((error: unknown) => {
    if (!(error instanceof Problem)) throw error;
    throw new Problem(error.status, error.code, `${error.message} Nothing was deleted; the user is signed out. Run this again.`);
  });

  const whose: Whose = { userId, appUserId: user.appUserId, email: user.email };
  const rows: Deleted = {};
  const jobs = await deleteJobs(db, userId);
  // While rows name them they can be found, so they go before the rows.
  const blobs = await parts.blobs.removeOf(userId);
  // The row of the user stays until last, so that a run that is killed can be repeated.
  await deleteRows(db, whose, rows, users);
  const mail_files = await deleteMail(user.email);
  const mailed = await sendFarewell(parts, user);
  await db.transaction(async (tx) => {
    await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update');
    await deleteRows(tx, whose, rows);
  });
  audit.note('erasure', { userId, about: `done: ${Object.values(rows).reduce((sum, count) => sum + count, 0)} rows` });
  return { user: userId, email: user.email, bots, mailed, mail_files, blobs, jobs, rows };
}

/** Keeps the user from signing in and from storing anything, ends their sessions, and halts their bots. */
async function begin({ db, clock, sessions }: Parts, userId: string): Promise<typeof users.$inferSelect> {
  const at = new Date(clock());
  const { user, ended } = await db.transaction(async (tx) => {
    // Waits for transactions that store something for the user.
    const [row] = await tx.select().from(users).where(eq(users.id, userId)).for('update');
    if (!row) throw notFound('There is no such user.');
    if (!row.erasingAt) await tx.update(users).set({ erasingAt: at }).where(eq(users.id, userId));
    const halt = { name: haltName(userId), reason: 'The account is being deleted', createdAt: at };
    await tx.insert(operatorSwitches).values(halt).onConflictDoNothing();
    return { user: row, ended: await sessions.endAll(tx, userId) };
  });
  sessions.tellEnded(ended);
  return user;
}

async function sendFarewell({ mail }: Parts, user: typeof users.$inferSelect): Promise<boolean> {
  return mail.send(farewell(user)).then(
    () => true,
    () => false,
  );
}

const farewell = ({ email, firstName }: typeof users.$inferSelect): Mail => ({
  to: email,
  subject: `Your ${PRODUCT} account was deleted`,
  text: [
    `Hello ${firstName},`,
    '',
    `your ${PRODUCT} account was deleted, with your chats, pictures, bots and messages.`,
    'Nothing of it can be restored. This is the last message we send to you.',
    '',
    'A subscription that you bought in an app store goes on there until you cancel it.',
    '',
  ].join('\n'),
});
