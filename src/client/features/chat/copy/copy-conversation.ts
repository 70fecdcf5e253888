import { transact } from '#client/platform/db/transact.ts';
import type { UserDb } from '#client/platform/db/user-db.ts';
import { toast } from '#client/platform/toast.ts';
import { within } from '#client/platform/within.ts';
import type { Archive } from '#contract/chat/archive.ts';
import { SECOND } from '#domain/clock.ts';
import { fetchPage, readMessages, storePage } from '../conversation/conversation.ts';
import { completeConversation } from '../conversation/conversation-pages.ts';
import { conversationMarkdown } from './conversation-markdown.ts';

/** How long a copy waits for messages that are not on the device, ms. */
const PATIENCE = 8 * SECOND;

/** Copies a conversation as Markdown: all of it, or while the server cannot be reached, what is on the device. Never rejects. */
export async function copyConversation(db: UserDb, archive: Archive): Promise<void> {
  const reading = read(db, archive);
  try {
    await copy(reading.then(({ text }) => text));
  } catch {
    const { count } = await reading;
    toast(count === 0 ? 'This chat is not on your device yet.' : 'Your browser blocked copying. Open the chat and copy its answers.');
    return;
  }
  toast((await reading).isWhole ? 'Copied' : 'Copied what is on this device');
}

interface Read {
  text: string;
  count: number;
  isWhole: boolean;
}

async function read(db: UserDb, { id, archive_title }: Archive): Promise<Read> {
  await within(
    PATIENCE,
    bringAll(db, id).catch(() => undefined),
  );
  const messages = await readMessages(db, id, 1).catch(() => []);
  const isWhole = messages[0]?.position === 1 && messages.every(({ missingBefore }) => !missingBefore);
  return { text: conversationMarkdown(archive_title, messages), count: messages.length, isWhole };
}

async function bringAll(db: UserDb, archiveId: string): Promise<void> {
  const page = await fetchPage(db, archiveId);
  await transact(db, [db.archives, db.messages, db.outbox], (db) => storePage(db, page));
  await completeConversation(db, archiveId, { idle: async () => undefined, signal: AbortSignal.timeout(PATIENCE) });
}

/** Copies a text that comes later. Browsers copy only soon after a tap, so the clipboard gets the promise where it takes one. */
async function copy(text: Promise<string>): Promise<void> {
  const { clipboard } = navigator;
  if (typeof ClipboardItem === 'undefined') return clipboard.writeText(await text);
  await clipboard.write([new ClipboardItem({ 'text/plain': text.then((said) => new Blob([said], { type: 'text/plain' })) })]);
}
