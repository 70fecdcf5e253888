import { eq } from 'drizzle-orm';
import type { DeletionRequestBody } from '../../../contract/contact';
import type { Clock } from '../../../domain/clock';
import { PRODUCT } from '../../../domain/product';
import type { Tx } from '../../db/open';
import { contactMessages, users } from '../../db/schema';
import type { Errands } from '../../errands';
import { notFound } from '../../http/errors';
import type { Mail, MailPort } from '../../ports/mail/mail';

export interface Deletions {
  /** Stores the request. The returned function acknowledges it by mail; it is due once the transaction is committed. */
  request(tx: Tx, userId: string, body: DeletionRequestBody): Promise<() => void>;
}

/** Accounts are deleted by people, who are asked to by message (spec §6). */
export function createDeletions(options: { clock: Clock; mail: MailPort; errands: Errands }): Deletions {
  const { clock, mail, errands } = options;
  return {
    async request(tx, userId, { name, message }) {
      const [user] = await tx.select({ email: users.email }).from(users).where(eq(users.id, userId));
      if (!user) throw notFound();
      const { email } = user;
      await tx.insert(contactMessages).values({ userId, kind: 'deletion', name, email, message, createdAt: new Date(clock()) });
      return () => errands.run(() => mail.send(acknowledgement(email, name)));
    },
  };
}

const acknowledgement = (to: string, name: string): Mail => ({
  to,
  subject: `Your request to delete your ${PRODUCT} account`,
  text: [
    `Hello ${name},`,
    '',
    `we have your request to delete your ${PRODUCT} account. Somebody of our support team will look at it and write to you.`,
    'Until then nothing changes: your account and what is in it stay as they are.',
    '',
    'If it was not you, set a new password and answer this message.',
    '',
  ].join('\n'),
});
