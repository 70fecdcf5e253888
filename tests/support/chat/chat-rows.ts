import type { Message } from '#contract/chat/chat.ts';

export const ARCHIVE = '6f1c2a52-95d5-4d0c-8a6f-0c6f6f0e4b11';

/** Creates a stored question, answered by default. */
export const chatRow = (row: Partial<Message> & { id: string }): Message => ({
  archive_id: ARCHIVE,
  position: 1,
  user_message: `Question ${row.id}`,
  ai_response: `Answer ${row.id}`,
  chat_status: 'ai-responce',
  preview_image: null,
  chat_image: null,
  created_at: '2026-01-01T00:00:00.000Z',
  ...row,
});

export const unanswered = (row: Partial<Message> & { id: string }): Message => chatRow({ ai_response: '', chat_status: 'message', ...row });
