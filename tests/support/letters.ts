import { type Message, readMessages } from '../../src/server/modules/mailbox/messages';
import { outboxDir } from '../../src/server/ports/mail/file-outbox';

/** What was mailed to an address, latest first. */
export const lettersTo = async (dataDir: string, email: string): Promise<Message[]> =>
  (await readMessages(outboxDir(dataDir))).filter((message) => message.to === email);

/** A code that was not mailed. */
export const otherThan = (code: string) => String((Number(code) + 1) % 10_000).padStart(4, '0');
