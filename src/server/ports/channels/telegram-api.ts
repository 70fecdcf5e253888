import * as z from 'zod/mini';
import { SECOND } from '#domain/clock.ts';
import { withDeadline } from '#server/with-deadline.ts';
import { bytesOf } from '../bytes-of.ts';
import { readLimited } from '../read-limited.ts';

/** Bytes of an answer: a hundred updates of the longest messages. */
const MAX_ANSWER = 2_000_000;
/** How long Telegram holds a request for updates, s. */
const HELD = 25;
const PATIENCE = 15 * SECOND;
/** Characters of a message. */
export const MAX_TEXT = 4096;

const failure = z.object({
  ok: z.literal(false),
  error_code: z.optional(z.number()),
  description: z.optional(z.string()),
  parameters: z.optional(z.object({ retry_after: z.optional(z.number()) })),
});
const update = z.object({
  update_id: z.int(),
  message: z.optional(
    z.object({
      chat: z.object({ id: z.int(), type: z.string(), username: z.optional(z.string()), first_name: z.optional(z.string()) }),
      text: z.optional(z.string()),
    }),
  ),
});
const updates = z.array(update);
const me = z.object({ username: z.string() });

export type TelegramUpdate = z.infer<typeof update>;

/** Telegram answered that it refuses the call. */
export class TelegramRefusal extends Error {
  constructor(
    readonly status: number,
    description: string,
    /** s. */
    readonly retryAfter: number | undefined,
  ) {
    super(description);
  }
}

export interface TelegramApi {
  /** Returns the bot's name. */
  username(signal: AbortSignal): Promise<string>;
  /** Returns updates from `offset` on; waits up to `held` seconds for the first one. */
  updates(offset: number, signal: AbortSignal, held?: number): Promise<TelegramUpdate[]>;
  /** Sends plain text of at most `MAX_TEXT` characters. */
  sendText(chatId: string, text: string, signal: AbortSignal): Promise<void>;
}

/** Creates the client of Telegram's Bot API. No error holds the token. */
export function createTelegramApi({ token, baseUrl }: { token: string; baseUrl: string }): TelegramApi {
  const call = (method: string, body: unknown, signal: AbortSignal, patience = PATIENCE): Promise<unknown> =>
    withDeadline(patience, signal, (ends) => ask(method, body, ends));

  async function ask(method: string, body: unknown, signal: AbortSignal): Promise<unknown> {
    const response = await fetch(`${baseUrl}/bot${token}/${method}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      redirect: 'error',
      signal,
    }).catch((): never => {
      throw new Error('Telegram does not answer');
    });
    const text = await readLimited(bytesOf(response, signal), MAX_ANSWER);
    const answer = JSON.parse(text) as { ok?: unknown; result?: unknown };
    if (answer?.ok === true) return answer.result;
    const refused = z.safeParse(failure, answer);
    const { error_code = response.status, description = 'no reason', parameters } = refused.success ? refused.data : {};
    throw new TelegramRefusal(error_code, description, parameters?.retry_after);
  }

  return {
    username: async (signal) => z.parse(me, await call('getMe', {}, signal)).username,
    async updates(offset, signal, held = HELD) {
      const asked = { offset, timeout: held, limit: 100, allowed_updates: ['message'] };
      return z.parse(updates, await call('getUpdates', asked, signal, held * SECOND + PATIENCE));
    },
    async sendText(chatId, text, signal) {
      await call('sendMessage', { chat_id: Number(chatId), text, link_preview_options: { is_disabled: true } }, signal);
    },
  };
}
