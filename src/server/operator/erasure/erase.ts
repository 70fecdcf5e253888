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
import { noSuchUser, Problem } from '#server/http/errors.ts';
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
  /** Deletes mail files to an address and returns their number; 0 with a mail server. */
  deleteMail: (email: string) => Promise<number>;
}

export interface Erasure {
  user: string;
  /** Shown to the operator, who may need to write to the user; stored nowhere. */
  email: string;
  bots: Awaited<ReturnType<Bots['closeAllBots']>>;
  /** Whether the confirmation was mailed. */
  mailed: boolean;
  mail_files: number;
  blobs: number;
  jobs: number;

  rows: Deleted;
}

/** Deletes a user and all their data. Safe to repeat after a crash, because the user's own row goes last. Throws `Problem` for an */
/** unknown user, and when a bot could not be closed; then nothing is deleted yet. */
export async function erase(parts: Parts, userId: string): Promise<Erasure> {
  const { db, audit, closeAllBots, deleteMail } = parts;
  const user = await begin(parts, userId);
  audit.note('erasure', { userId, about: 'started' });
  const bots = await closeAllBots(userId).catch((error: unknown) => {
    if (!(error instanceof Problem)) throw error;
    throw new Problem(error.status, error.code, `${error.message} Nothing was deleted. The user is signed out. Run this again.`);
  });

  const whose: Whose = { userId, appUserId: user.appUserId, email: user.email };
  const rows: Deleted = {};
  const jobs = await deleteJobs(db, userId);
  // Rows name the blobs, so delete the blobs first.
  const blobs = await parts.blobs.removeOf(userId);
  // The user's row goes last, so that a killed run can be repeated.
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

/** Blocks sign-in and new data, ends the user's sessions and halts their bots. */
async function begin({ db, clock, sessions }: Parts, userId: string): Promise<typeof users.$inferSelect> {
  const at = new Date(clock());
  const { user, ended } = await db.transaction(async (tx) => {
    // Waits for open transactions of the user.
    const [row] = await tx.select().from(users).where(eq(users.id, userId)).for('update');
    if (!row) throw noSuchUser();
    if (!row.erasingAt) await tx.update(users).set({ erasingAt: at }).where(eq(users.id, userId));
    const halt = { name: haltName(userId), reason: 'The account is being deleted', createdAt: at };
    await tx.insert(operatorSwitches).values(halt).onConflictDoNothing();
    return { user: row, ended: await sessions.endAll(tx, userId) };
  });
  sessions.tellEnded(userId, ended);
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
    `Your ${PRODUCT} account was deleted, with your chats, pictures, bots and messages.`,
    'It cannot be restored. This is our last message to you.',
    '',
    'If you bought a subscription in an app store, cancel it there.',
    '',
  ].join('\n'),
});
