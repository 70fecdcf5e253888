import type { MessageRow, UserTables } from '#client/platform/db/user-db.ts';
import type { Archive } from '#contract/chat/archive.ts';
import { tellsOwn } from '#domain/analyst/answers/tells-of-account.ts';
import { messagePreview } from '#domain/chat-preview.ts';

/** Selects a conversation's rows between two positions, in order. */
export const rowsBetween = (db: UserTables, archiveId: string, from: number, to: number) =>
  db.messages.where('[archive_id+position]').between([archiveId, from], [archiveId, to], true, true);

/** Returns a conversation's oldest message on the device, and its newest one. */
export const firstRow = (db: UserTables, archiveId: string): Promise<MessageRow | undefined> => allRows(db, archiveId).first();
export const lastRow = (db: UserTables, archiveId: string): Promise<MessageRow | undefined> => allRows(db, archiveId).last();
const allRows = (db: UserTables, archiveId: string) => rowsBetween(db, archiveId, 0, Number.MAX_SAFE_INTEGER);

/** What lists show of a conversation whose newest message this is. */
function previewOf(message: MessageRow): Pick<Archive, 'preview' | 'preview_of' | 'preview_own'> {
  const { user_message: question, ai_response, chat_status, failed = false, figures, device_answer: own } = message;
  const isOwn = ai_response === '' && own !== undefined;
  const preview = messagePreview({
    question,
    answer: isOwn ? own.text : ai_response,
    waits: !isOwn && chat_status === 'message',
    failed,
  });
  const tells = preview.preview_of === 'answer' && tellsOwn(isOwn ? own.figures : figures);
  return { ...preview, preview_own: tells || undefined };
}

/**
 * Makes a conversation's preview that of its newest message, where this is one of `ids` (default: any). Returns false if there is no
 * message. The transaction must have the tables of conversations and messages.
 */
export async function renewPreview(db: UserTables, archiveId: string, ids?: readonly string[]): Promise<boolean> {
  const last = await lastRow(db, archiveId);
  if (last && (!ids || ids.includes(last.id))) await db.archives.update(archiveId, previewOf(last));
  return last !== undefined;
}
