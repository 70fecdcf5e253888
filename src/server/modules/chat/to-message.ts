import * as z from 'zod/mini';
import { chartMarks } from '#contract/chat/chart-reading.ts';
import type { Message } from '#contract/chat/chat.ts';
import type { MessageRow } from './store.ts';

/** A stored question as the contract shows it. */
export function toMessage(row: MessageRow): Message {
  const image = row.imageId === null ? null : `/chat/images/${row.imageId}`;
  return {
    id: row.id,
    archive_id: row.archiveId,
    position: row.position,
    user_message: row.userMessage,
    ai_response: row.aiResponse,
    chat_status: row.answeredAt ? 'ai-responce' : 'message',
    preview_image: image && `${image}/preview`,
    chat_image: image,
    created_at: row.createdAt.toISOString(),
    failed: row.failed,
    stopped: row.stopped,
    counted: row.stopped ? row.startedAt !== null : undefined,
    rating: row.rating,
    // Marks of an older shape are not worth a conversation that cannot be read.
    marks: z.safeParse(chartMarks, row.marks).data ?? null,
    coins: row.coins,
  };
}
