import * as z from 'zod/mini';
import { type ChatMessage, type ChatResponse, message, type TitleResponse } from './chat/chat.ts';
import { apiError } from './errors.ts';
import type { CoinTicks } from './market/coin-ticks.ts';
import type { Notification } from './notification.ts';

/** Acknowledges a `chat_message`: the stored message, or the reason for its refusal. */
export const chatAck = z.union([z.object({ chat: message }), z.object({ error: apiError })]);
export type ChatAck = z.infer<typeof chatAck>;

export interface ClientToServer {
  chat_message(message: ChatMessage, ack: (result: ChatAck) => void): void;
  /** Coins whose ticks this socket wants (`watchedCoins` of contract/market/coin-ticks.ts). */
  watch_coins(ids: number[]): void;
}

/** Hints only: the API has everything they announce. */
export interface ServerToClient {
  chat_response(response: ChatResponse): void;
  generate_title_response(response: TitleResponse): void;
  coin_ticks(ticks: CoinTicks): void;
  notification(notification: Notification): void;
  /** Events may be lost. Read again what the page reads after it connects. */
  missed(): void;
  /** A newer socket of the user replaced this one. Reconnect later, or when the page becomes visible. */
  displaced(): void;
}
