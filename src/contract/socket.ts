import * as z from 'zod/mini';
import { type ChatMessage, type ChatResponse, message, type TitleResponse } from './chat/chat.ts';
import { apiError } from './errors.ts';
import type { CoinTicks } from './market/market.ts';
import type { Notification } from './notification.ts';

/** Acknowledges a `chat_message`: the stored message, or the reason for its refusal. */
export const chatAck = z.union([z.object({ chat: message }), z.object({ error: apiError })]);
export type ChatAck = z.infer<typeof chatAck>;

export interface ClientToServer {
  chat_message(message: ChatMessage, ack: (result: ChatAck) => void): void;
  /** The coins whose ticks this socket wants (contract/market `watchedCoins`). */
  watch_coins(ids: number[]): void;
}

/** Hints only: what they say can always be read again over the API. */
export interface ServerToClient {
  chat_response(response: ChatResponse): void;
  generate_title_response(response: TitleResponse): void;
  coin_ticks(ticks: CoinTicks): void;
  notification(notification: Notification): void;
  /** A newer socket of the user took this one's place: come back later, or when the page is looked at. */
  displaced(): void;
}
