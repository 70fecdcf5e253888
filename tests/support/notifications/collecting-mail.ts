import type { Mail, MailPort } from '#server/ports/mail/mail.ts';

export interface CollectingMail extends MailPort {
  /** What was sent, oldest first. */
  sent: Mail[];
  /** Called before each message; it may wait, or throw as a mail server refuses. */
  before: (mail: Mail) => Promise<void> | void;
}

/** Creates a mail server that keeps its messages. */
export function collectingMail(): CollectingMail {
  const mail: CollectingMail = {
    sent: [],
    before: () => undefined,
    async send(message) {
      await mail.before(message);
      mail.sent.push(message);
      return 'collected';
    },
    close: () => undefined,
  };
  return mail;
}
