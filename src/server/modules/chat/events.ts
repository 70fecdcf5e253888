import { EventEmitter } from 'node:events';
import type { ChatResponse, TitleResponse } from '#contract/chat/chat.ts';

/** What happened in a user's chats, told once it is stored. Nobody has to listen: it can all be read again. */
export class ChatEvents extends EventEmitter<{
  response: [userId: string, response: ChatResponse];
  title: [userId: string, title: TitleResponse];
}> {}
