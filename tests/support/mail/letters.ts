import { type Message, readMessages } from '#server/modules/mailbox/messages.ts';
import { outboxDir } from '#server/ports/mail/file-outbox.ts';

/** Returns the mail sent to an address, latest first. */
export const lettersTo = async (dataDir: string, email: string): Promise<Message[]> =>
  (await readMessages(outboxDir(dataDir))).filter((message) => message.to === email);

/** Returns a code that differs from the mailed one. */
export const otherThan = (code: string) => String((Number(code) + 1) % 10_000).padStart(4, '0');
