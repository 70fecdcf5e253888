import * as z from 'zod/mini';
import { readFigures } from '#contract/chat/answer-figures.ts';
import { chartMarks } from '#contract/chat/chart-reading.ts';
import type { ChatResponse, Message } from '#contract/chat/chat.ts';
import { action, choices } from '#contract/chat/offers.ts';
import type { MessageRow } from './store.ts';

/** Converts a database row to the contract's message. */
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
    // Ignore marks, choices and actions of an older shape, so that the conversation stays readable.
    marks: z.safeParse(chartMarks, row.marks).data ?? null,
    coins: row.coins,
    choices: z.safeParse(choices, row.choices).data ?? [],
    action: z.safeParse(action, row.action).data ?? null,
    // As with marks.
    figures: readFigures(row.figures),
  };
}

/** Converts an answered question to the socket's event. */
export const toResponse = (row: MessageRow): ChatResponse => ({
  chat_id: row.id,
  archive_id: row.archiveId,
  chat_status: 'ai-responce',
  user_message: row.userMessage,
  ...(row.failed ? { error: row.aiResponse } : { ai_response: row.aiResponse }),
  chat: toMessage(row),
});
