import type { SendMailOptions } from 'nodemailer';
import type { Mail } from './mail.ts';

/** Builds nodemailer's message. Addresses are objects, because text would be parsed and could name several people. */
export function compose(mail: Mail, from: string, date: Date): SendMailOptions {
  return {
    from,
    to: { name: '', address: mail.to },
    subject: mail.subject,
    text: mail.text,
    date,
    ...(mail.id !== undefined && { messageId: `<${mail.id}@${hostOf(from)}>` }),
    // nodemailer picks base64 for some scripts, which would hide the code from users who read the source.
    textEncoding: 'quoted-printable',
    // Suppresses vacation replies (RFC 3834), because these messages answer a user's action.
    headers: { 'Auto-Submitted': 'auto-generated' },
    // A message must never make this server read a file or fetch a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** Returns the host of a sender such as `Tidemark <no-reply@example.com>`. */
const hostOf = (from: string): string => /@([^@>\s]+)>?$/.exec(from)?.[1] ?? 'localhost';
