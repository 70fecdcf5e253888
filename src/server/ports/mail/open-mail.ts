import type { Clock } from '#domain/clock.ts';
import { type Config, isLoopback } from '#server/config.ts';
import { openFileOutbox } from './file-outbox.ts';
import type { MailPort } from './mail.ts';
import { openSmtp } from './smtp.ts';

type MailConfig = Pick<Config, 'smtpUrl' | 'mailFrom' | 'dataDir' | 'publicUrl'>;

/** SMTP where SMTP_URL says so, else files in DATA_DIR/mail. */
export const openMail = (config: MailConfig, clock: Clock): MailPort =>
  config.smtpUrl ? openSmtp(config.smtpUrl, config.mailFrom, clock) : openFileOutbox(config.dataDir, config.mailFrom, clock);

/** The mailbox page shows everybody's mail, so it is there only while nobody but this machine is served. */
export const hasMailbox = (config: MailConfig): boolean => !config.smtpUrl && isLoopback(new URL(config.publicUrl).hostname);
