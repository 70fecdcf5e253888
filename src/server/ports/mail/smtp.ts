import { createTransport } from 'nodemailer';
import type { Clock } from '#domain/clock.ts';
import { compose } from './compose.ts';
import type { MailPort } from './mail.ts';

/** Timeout of one SMTP step, ms. */
const STEP_TIMEOUT_MS = 15_000;

/** Sends mail by SMTP. `url` is smtp:// (TLS when offered) or smtps://, with user and password if needed. */
export function openSmtp(url: string, from: string, clock: Clock): MailPort {
  const transport = createTransport({
    url,
    connectionTimeout: STEP_TIMEOUT_MS,
    greetingTimeout: STEP_TIMEOUT_MS,
    socketTimeout: STEP_TIMEOUT_MS,
  });
  return {
    async send(mail) {
      const sent = await transport.sendMail(compose(mail, from, new Date(clock())));
      return `smtp ${sent.messageId}`;
    },
    close: () => transport.close(),
  };
}
