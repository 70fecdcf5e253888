import type { ChatEvents } from '../modules/chat/events.ts';
import { type RealtimeServer, roomOf } from './server.ts';

/** Sends each answer and title, whole, to all sockets of its user. The page types it out. */
export function sendAnswers(io: RealtimeServer, events: ChatEvents): void {
  events.on('response', (userId, response) => io.to(roomOf(userId)).emit('chat_response', response));
  events.on('title', (userId, title) => io.to(roomOf(userId)).emit('generate_title_response', title));
}
