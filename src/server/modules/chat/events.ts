import { EventEmitter } from 'node:events';
import type { ChatResponse, TitleResponse } from '#contract/chat/chat.ts';

/** Emits changes of a user's conversations after they are stored. Listeners are optional: the API returns the same. */
export class ChatEvents extends EventEmitter<{
  response: [userId: string, response: ChatResponse];
  title: [userId: string, title: TitleResponse];
}> {}
