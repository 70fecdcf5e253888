import type { Clock } from '#domain/clock.ts';
import { type Config, isLoopback } from '#server/config.ts';
import { openFileOutbox } from './file-outbox.ts';
import type { MailPort } from './mail.ts';
import { openSmtp } from './smtp.ts';

type MailConfig = Pick<Config, 'smtpUrl' | 'mailFrom' | 'dataDir' | 'publicUrl'>;

/** Opens SMTP at SMTP_URL, or else files in DATA_DIR/mail. */
export const openMail = (config: MailConfig, clock: Clock): MailPort =>
  config.smtpUrl ? openSmtp(config.smtpUrl, config.mailFrom, clock) : openFileOutbox(config.dataDir, config.mailFrom, clock);

/** The mailbox page shows all users' mail, so it exists only while the server serves this machine alone. */
export const hasMailbox = (config: MailConfig): boolean => !config.smtpUrl && isLoopback(new URL(config.publicUrl).hostname);
