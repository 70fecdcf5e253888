import { type Message, readMessages } from '#server/modules/mailbox/messages.ts';
import { outboxDir } from '#server/ports/mail/file-outbox.ts';

/** What was mailed to an address, latest first. */
export const lettersTo = async (dataDir: string, email: string): Promise<Message[]> =>
  (await readMessages(outboxDir(dataDir))).filter((message) => message.to === email);

/** A code that was not mailed. */
export const otherThan = (code: string) => String((Number(code) + 1) % 10_000).padStart(4, '0');
