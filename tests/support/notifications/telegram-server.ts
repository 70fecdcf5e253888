import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Sent {
  chat_id: number;
  text: string;
}

export interface TelegramServer {
  url: string;
  /** What bots sent to chats. */
  sent: Sent[];
  /** Calls of getUpdates that wait or were answered. */
  polls: number;
  /** Answers sendMessage with an error; undefined to send. */
  refuse: (message: Sent) => { code: number; description: string; retryAfter?: number } | undefined;
  /** A person writes to the bot. */
  write(chat: { id: number; type?: string; username?: string; first_name?: string }, text: string): void;
  /** Breaks every call with this answer, until it is set to undefined. */
  broken: { status: number; body: string } | undefined;
  /** Calls that were broken so. */
  brokenAnswers: number;
  close(): Promise<void>;
}

export const TOKEN = '123456:loopback-token';

/** Starts a server that answers like Telegram's Bot API (core.telegram.org/bots/api): one long poll at a time, confirmed by its offset. */
export async function startTelegram(): Promise<TelegramServer> {
  let updates: { update_id: number; message: unknown }[] = [];
  let lastId = 1000;
  let waiting: { offset: number; response: ServerResponse } | undefined;

  const ok = (response: ServerResponse, result: unknown) => response.end(JSON.stringify({ ok: true, result }));
  const fail = (response: ServerResponse, code: number, description: string, parameters?: unknown) =>
    response
      .writeHead(code)
      .end(JSON.stringify({ ok: false, error_code: code, description, ...(parameters !== undefined && { parameters }) }));

  function answerPoll(): void {
    if (!waiting) return;
    const due = updates.filter(({ update_id }) => update_id >= (waiting?.offset ?? 0)).slice(0, 100);
    if (due.length === 0) return;
    ok(waiting.response, due);
    waiting = undefined;
  }

  const server = createServer(async (request, response) => {
    let text = '';
    for await (const part of request) text += String(part);
    const method = new RegExp(`^/bot${TOKEN}/(\\w+)$`).exec(request.url ?? '')?.[1];
    if (telegram.broken) {
      telegram.brokenAnswers += 1;
      return void response.writeHead(telegram.broken.status).end(telegram.broken.body);
    }
    if (method === undefined) return void fail(response, 401, 'Unauthorized');
    const body = JSON.parse(text);
    if (method === 'getMe') return void ok(response, { id: 1, is_bot: true, first_name: 'Tide', username: 'tide_test_bot' });
    if (method === 'sendMessage') {
      const refusal = telegram.refuse(body);
      if (refusal) {
        const parameters = refusal.retryAfter === undefined ? undefined : { retry_after: refusal.retryAfter };
        return void fail(response, refusal.code, refusal.description, parameters);
      }
      if (typeof body.text !== 'string' || body.text.length === 0) return void fail(response, 400, 'Bad Request: message text is empty');
      if (body.text.length > 4096) return void fail(response, 400, 'Bad Request: message is too long');
      telegram.sent.push({ chat_id: body.chat_id, text: body.text });
      return void ok(response, { message_id: telegram.sent.length });
    }
    if (method !== 'getUpdates') return void fail(response, 404, 'Not Found');
    telegram.polls += 1;
    if (waiting) fail(waiting.response, 409, 'Conflict: terminated by other getUpdates request');
    updates = updates.filter(({ update_id }) => update_id >= body.offset);
    waiting = { offset: body.offset, response };
    response.on('close', () => {
      if (waiting?.response === response) waiting = undefined;
    });
    answerPoll();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const telegram: TelegramServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent: [],
    polls: 0,
    refuse: () => undefined,
    broken: undefined,
    brokenAnswers: 0,
    write({ id, type = 'private', ...names }, text) {
      lastId += 1;
      updates.push({ update_id: lastId, message: { message_id: lastId, date: 1, chat: { id, type, ...names }, text } });
      answerPoll();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return telegram;
}
