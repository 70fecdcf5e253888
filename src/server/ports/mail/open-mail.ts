import type { Clock } from '../../../domain/clock';
import { type Config, isLoopback } from '../../config';
import { openFileOutbox } from './file-outbox';
import type { MailPort } from './mail';
import { openSmtp } from './smtp';

type MailConfig = Pick<Config, 'smtpUrl' | 'mailFrom' | 'dataDir' | 'publicUrl'>;

/** SMTP where SMTP_URL says so, else files in DATA_DIR/mail. */
export const openMail = (config: MailConfig, clock: Clock): MailPort =>
  config.smtpUrl ? openSmtp(config.smtpUrl, config.mailFrom, clock) : openFileOutbox(config.dataDir, config.mailFrom, clock);

/** The mailbox page shows everybody's mail, so it is there only while nobody but this machine is served. */
export const hasMailbox = (config: MailConfig): boolean => !config.smtpUrl && isLoopback(new URL(config.publicUrl).hostname);
