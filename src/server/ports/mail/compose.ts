import type { SendMailOptions } from 'nodemailer';
import type { Mail } from './mail.ts';

/** The message as nodemailer takes it. Addresses go in as objects: as text they would be parsed, and could name several people. */
export function compose(mail: Mail, from: string, date: Date): SendMailOptions {
  return {
    from,
    to: { name: '', address: mail.to },
    subject: mail.subject,
    text: mail.text,
    date,
    // base64, nodemailer's choice for some scripts, would hide the code from whoever reads the message's source.
    textEncoding: 'quoted-printable',
    // Messages answer what a person just did: no vacation replies, please (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated' },
    // Nothing in a message may make this server read a file or call an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
