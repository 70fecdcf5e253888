import { eq } from 'drizzle-orm';
import { NOTIFICATION_SETTINGS_PAGE } from '#contract/notifications/pages.ts';
import { PRODUCT } from '#domain/product.ts';
import { greetingTo } from '#domain/shown-name.ts';
import { shorten } from '#domain/text.ts';
import type { Db } from '#server/db/open.ts';
import { users } from '#server/db/schema/users.ts';
import type { Mail, MailPort } from '../mail/mail.ts';
import type { Channel, Message } from './channel.ts';

const AT_ONCE = 5;
/** Characters of a subject. */
const MAX_SUBJECT = 100;

interface Parts {
  db: Db;
  mail: MailPort;
  publicUrl: string;
}

/** Creates the channel that mails notifications to the address of the account. */
export const createEmailChannel = ({ db, mail, publicUrl }: Parts): Channel => ({
  name: 'email',
  atOnce: AT_ONCE,
  async send(message) {
    const [user] = await db.select().from(users).where(eq(users.id, message.userId));
    if (!user || user.erasingAt) return { outcome: 'refused', reason: 'the account is being deleted' };
    try {
      await mail.send(letterOf(message, user, publicUrl));
      return { outcome: 'sent' };
    } catch (error) {
      return { outcome: isRefused(error) ? 'refused' : 'retry', reason: error instanceof Error ? error.message : 'no mail server' };
    }
  },
});

/** Mail servers answer 5xx to what they will never accept. */
const isRefused = (error: unknown): boolean =>
  error instanceof Error && 'responseCode' in error && Number(error.responseCode) >= 500 && Number(error.responseCode) < 600;

function letterOf(message: Message, user: { email: string; firstName: string }, publicUrl: string): Mail {
  const { id, text, link, count } = message;
  return {
    id,
    to: user.email,
    subject: count > 1 ? `${PRODUCT}: ${count} notifications` : subjectOf(text),
    text: [
      greetingTo(user.firstName),
      '',
      text,
      ...(link === null ? [] : ['', `${publicUrl}${link}`]),
      '',
      'You choose in the settings which notifications are mailed:',
      `${publicUrl}${NOTIFICATION_SETTINGS_PAGE}`,
      '',
    ].join('\n'),
  };
}

function subjectOf(text: string): string {
  const line = `${PRODUCT}: ${text.slice(0, 2 * MAX_SUBJECT)}`.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return shorten(line, MAX_SUBJECT);
}
