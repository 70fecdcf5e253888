import { randomUUID } from 'node:crypto';
import { userAnswer } from '#contract/account/user.ts';
import { type ChatMessage, type ChatResponse, chatImageAnswer, conversationAnswer, type Message } from '#contract/chat/chat.ts';
import type { ChatAck } from '#contract/socket.ts';
import { connect, next, questionOf, send, type TestSocket } from '../server/realtime.ts';
import type { SignedUp, TestServer } from '../server/server.ts';

/** A signed-in user with an open socket. */
export interface Chatter {
  who: SignedUp;
  socket: TestSocket;
  /** Sends a question and waits for its acknowledgement. */
  send(question?: Partial<ChatMessage>): Promise<ChatAck>;
  /** Sends a question and waits for its answer or error. */
  ask(question?: Partial<ChatMessage>): Promise<{ question: ChatMessage; response: ChatResponse }>;
  /** Calls the API. Sends a plain object as JSON. */
  call(path: string, init?: { method?: string; body?: object; headers?: Record<string, string> }): Promise<Response>;
  chats(archiveId: string): Promise<Message[]>;
  /** Returns this month's remaining questions and chart analyses. */
  left(): Promise<[questions: number | undefined, charts: number]>;
  /** Stores an image and returns its id. */
  upload(file: Buffer, id?: string): Promise<string>;
}

/** Connects a new or given user. The caller disconnects the socket. */
export async function chatterOf(server: TestServer, known?: SignedUp): Promise<Chatter> {
  const who = known ?? (await server.signUp());
  const socket = await connect(server.url, who.tokens.accessToken);
  const made = (question: Partial<ChatMessage>) => questionOf(who.user.id, question);

  const call: Chatter['call'] = (path, { method = 'GET', body, headers } = {}) => {
    const form = body instanceof FormData;
    return fetch(`${server.url}/api${path}`, {
      method,
      headers: { authorization: who.authorization, ...(body && !form && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: form ? body : JSON.stringify(body) }),
    });
  };

  return {
    who,
    socket,
    call,
    send: (question = {}) => send(socket, made(question)),
    async ask(overrides = {}) {
      const question = made(overrides);
      const id = question.chat_id === 0 ? question.client_id : question.chat_id;
      const response = next(socket, 'chat_response', ({ chat_id }) => chat_id === id);
      const [ack, heard] = await Promise.all([send(socket, question), response]);
      if ('error' in ack) throw new Error(`refused: ${ack.error.code}`);
      return { question, response: heard };
    },
    async chats(archiveId) {
      return conversationAnswer.parse(await (await call(`/archive/${archiveId}/chats`)).json()).data;
    },
    async left() {
      const { userSubscription } = userAnswer.parse(await (await call(`/auth/user/${who.user.id}/`)).json()).data;
      return [userSubscription.extraQuestions, userSubscription.extraChatAnalysis];
    },
    async upload(file, id = randomUUID()) {
      const response = await call('/chat/images', { method: 'POST', body: imageForm(id, file) });
      return chatImageAnswer.parse(await response.json()).data.id;
    },
  };
}

export function imageForm(id: string, file: Buffer): FormData {
  const form = new FormData();
  form.append('id', id);
  form.append('image', new File([new Uint8Array(file)], 'chart.png'));
  return form;
}
