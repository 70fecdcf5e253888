import type { Archive } from '#contract/chat/archive.ts';
import type { Message } from '#contract/chat/chat.ts';
import { chatRow } from '#tests/support/chat/chat-rows.ts';

/** Returns the answered questions of a conversation. */
export const chatOf = (archiveId: string, size: number): Message[] =>
  Array.from({ length: size }, (_, at) =>
    chatRow({
      id: `${archiveId}-${at}`,
      archive_id: archiveId,
      position: at + 1,
      user_message: `Question ${at + 1} about the price of Bitcoin`,
      ai_response: `**Bitcoin** is at $${at}.\n\n| Coin | Price |\n|---|--:|\n| Bitcoin | $${at} |\n\n- up 1% in a day\n- down 2% in a week`,
    }),
  );

/** Returns the rows of stored conversations, by store of the device. */
export const conversationRows = (archives: Archive[], messages: Message[]) => ({
  archives,
  messages,
  stamps: archives.map(({ id }) => ({ key: `chats/${id}`, savedAt: Date.now() })),
});
