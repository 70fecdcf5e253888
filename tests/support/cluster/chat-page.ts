import { setTimeout as pause } from 'node:timers/promises';
import { conversationAnswer, type Message } from '#contract/chat/chat.ts';
import { type Account, call, fromAddress } from '#tests/faults/api.ts';
import type { Connection, OnAnswer } from '#tests/faults/customer.ts';
import type { RunningApp } from '../processes/app.ts';
import { openSocket, type TestSocket } from '../server/realtime.ts';

/** Pauses before a page connects again, and between its reloads of conversations that wait for an answer, ms: those of the app. */
const FIRST_DELAY = 1_000;
const LONGEST_DELAY = 30_000;
const UNANSWERED_INTERVAL = 20_000;

/** How a page got an answer: from its socket, or by a reload for one of these reasons. */
export type Way = 'event' | 'acknowledgment' | 'connect' | 'missed' | 'interval';

/** An answer that a page got. Times are those of `performance.now`. */
export interface Sight {
  /** Text of the question. */
  text: string;
  askedAt: number;
  seenAt: number;
  way: Way;
}

/** What the app's page does for a chat: it connects again by itself, and reloads what it may have missed. */
export interface ChatPage extends Connection {
  readonly sights: readonly Sight[];
  /** Texts of all its questions. */
  readonly texts: ReadonlySet<string>;
  close(): void;
}

type Owner = { app: Pick<RunningApp, 'url'>; index: number; account: Pick<Account, 'token'> };
type Waiting = { archiveId: string; text: string; askedAt: number };

/** Opens a page, which stays until it is closed. */
export function openChatPage({ app, index, account: { token } }: Owner, onAnswer: OnAnswer): ChatPage {
  const waiting = new Map<string, Waiting>();
  const seen = new Map<string, { seenAt: number; way: Way }>();
  const sights: Sight[] = [];
  const texts = new Set<string>();

  /** Notes the first sight of each answer. It may come before its question is acknowledged. */
  function see(id: string, text: string, way: Way): void {
    const key = `${id} ${text}`;
    const first = seen.get(key) ?? { seenAt: performance.now(), way };
    seen.set(key, first);
    const question = waiting.get(id);
    if (question?.text !== text) return;
    waiting.delete(id);
    sights.push({ text, askedAt: question.askedAt, seenAt: Math.max(first.seenAt, question.askedAt), way: first.way });
  }

  /** Reloads a conversation. The next reason to reload repeats one that fails. */
  async function pull(archiveId: string, way: Way): Promise<void> {
    const { status, body } = await call(app, index, `/archive/${archiveId}/chats`, { token });
    if (status !== 200) return;
    for (const chat of conversationAnswer.parse(body).data) if (isAnswered(chat)) see(chat.id, chat.user_message, way);
  }

  function pullWaiting(way: Way): void {
    for (const archiveId of new Set([...waiting.values()].map((question) => question.archiveId)))
      pull(archiveId, way).catch(() => undefined);
  }

  const socket = openSocket(app.url, token, fromAddress(index));
  socket.on('chat_response', (answer) => {
    onAnswer(answer);
    see(answer.chat_id, answer.user_message, 'event');
  });
  socket.on('connect', () => pullWaiting('connect'));
  socket.on('missed', () => pullWaiting('missed'));
  const timer = setInterval(() => socket.connected && pullWaiting('interval'), UNANSWERED_INTERVAL);
  const disconnect = keepConnected(socket);

  return {
    sights,
    texts,
    connect: (signal) => untilConnected(socket, signal),
    acknowledged(chat, archiveId) {
      texts.add(chat.user_message);
      waiting.set(chat.id, { archiveId, text: chat.user_message, askedAt: performance.now() });
      if (isAnswered(chat) || seen.has(`${chat.id} ${chat.user_message}`)) see(chat.id, chat.user_message, 'acknowledgment');
    },
    leave: () => undefined,
    async unseen(patience) {
      for (const deadline = Date.now() + patience; waiting.size > 0 && Date.now() < deadline; ) await pause(50);
      for (const { text } of waiting.values()) console.error(`No page got the answer to "${text}"`);
      return waiting.size;
    },
    close() {
      clearInterval(timer);
      disconnect();
    },
  };
}

const isAnswered = ({ chat_status, ai_response }: Message): boolean => chat_status === 'ai-responce' && ai_response !== '';

/** Connects a socket again each time that it is lost or refused. Returns a function that ends this. */
function keepConnected(socket: TestSocket): () => void {
  let failures = 0;
  let timer: NodeJS.Timeout | undefined;
  const attemptLater = () => {
    socket.disconnect();
    clearTimeout(timer);
    timer = setTimeout(() => socket.connect(), Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** failures++) * (0.5 + Math.random()));
  };
  socket.on('connect', () => {
    failures = 0;
  });
  socket.on('disconnect', attemptLater);
  socket.on('connect_error', attemptLater);
  return () => {
    socket.off('disconnect', attemptLater).off('connect_error', attemptLater).disconnect();
    clearTimeout(timer);
  };
}

/** Resolves with the socket once it is connected. Rejects when `signal` aborts. */
async function untilConnected(socket: TestSocket, signal: AbortSignal | undefined): Promise<TestSocket> {
  while (!socket.connected) await pause(50, undefined, { signal });
  return socket;
}
