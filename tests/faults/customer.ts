import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { archivesAnswer } from '#contract/chat/archive.ts';
import { type ChatMessage, type ChatResponse, conversationAnswer, type Message } from '#contract/chat/chat.ts';
import type { RunningApp } from '../support/processes/app.ts';
import { connect, send, type TestSocket } from '../support/server/realtime.ts';
import { type Account, call, fromAddress, signUp } from './api.ts';
import type { Tally } from './tally.ts';

/** The server runs but broke a rule. */
class Finding extends Error {}

/** A signed-in user who asks, edits, and records each write that the server acknowledged. */
export interface Customer {
  /** Whether the month's allowance is used up, so that the user stops asking. */
  readonly spent: boolean;
  /** Connects and works until the server is killed, starting with the unacknowledged writes of the last round. */
  live(life: AbortSignal): Promise<void>;
  /** Counts the acknowledged writes that are lost, changed, duplicated or unanswered after `patience` ms. */
  losses(patience: number): Promise<number>;
}

/** What the server has acknowledged, and the answers that it has sent. */
interface Memory {
  archives: Set<string>;
  /** The last acknowledged text of each question, and how many it has had. */
  questions: Map<string, { archiveId: string; text: string; texts: number }>;
  /** How often each answer has come. */
  answersHeard: Map<string, number>;
}

export type OnAnswer = (answer: ChatResponse) => void;

/** How a customer is connected to the app. */
export interface Connection {
  /** Resolves with a connected socket. Rejects when the app is gone, or when `signal` aborts. */
  connect(signal?: AbortSignal): Promise<TestSocket>;
  /** Hears of each acknowledged question and its conversation. */
  acknowledged(chat: Message, archiveId: string): void;
  /** Called at the end of each round, which `connect` began. */
  leave(): void;
  /** Counts the acknowledged questions whose answers have not come by this connection after `patience` ms. */
  unseen(patience: number): Promise<number>;
}

interface Options {
  random: () => number;
  tally: Tally;
  /** Longest pause after a question, ms. */
  pace?: number;
  /** Hears refusals with 503, after which the customer tries again. Without it, each is a finding. */
  onAway?: ((refusal: Refusal) => void) | undefined;
  /** Connects the customer. Without it, each round has a socket of its own. */
  open?: (owner: { app: RunningApp; index: number; account: Account }, onAnswer: OnAnswer) => Connection;
}

/** A refused call. Those of sockets have no headers. */
export type Refusal = { status: number; body: unknown; headers?: Headers };

export async function createCustomer(app: RunningApp, index: number, options: Options): Promise<Customer> {
  const { random, tally, pace = 0, onAway, open = connectEachRound } = options;
  const account = await signUp(app, index, `customer-${index}@example.com`);
  const { userId, token } = account;
  const memory: Memory = { archives: new Set(), questions: new Map(), answersHeard: new Map() };
  const { archives } = memory;
  let unsent: ChatMessage | undefined;
  let uncreated: string | undefined;
  let spent = false;
  const connection = open({ app, index, account }, (answer) => countAnswer(memory, answer));

  const isAway = (refusal: Refusal): boolean => {
    if (refusal.status !== 503 || !onAway) return false;
    onAway(refusal);
    return true;
  };

  /** Sends the pending message, or a new one. Resolves to false when there is nothing more to do in this round. */
  async function ask(socket: TestSocket): Promise<boolean> {
    unsent ??= nextMessage(userId, memory, random);
    const ack = await send(socket, unsent);
    if ('error' in ack) {
      if (ack.error.status === 429) return false;
      if (isAway({ status: ack.error.status, body: ack.error })) return true;
      if (ack.error.code === 'subscription-ended') {
        // No data of it may exist afterwards.
        unsent = undefined;
        spent = true;
        return false;
      }
      throw new Finding(`A question was refused: ${JSON.stringify(ack.error)}`);
    }
    noteQuestion(memory, ack.chat.id, unsent);
    connection.acknowledged(ack.chat, unsent.archive_id);
    tally.add();
    unsent = undefined;
    return true;
  }

  async function createArchive(signal: AbortSignal): Promise<void> {
    uncreated ??= randomUUID();
    const answer = await call(app, index, '/chat/archives/', { body: { userId, id: uncreated }, token, signal });
    if (isAway(answer)) return;
    if (answer.status !== 201) throw new Finding(`Creating an archive answered ${answer.status} ${JSON.stringify(answer.body)}`);
    archives.add(uncreated);
    uncreated = undefined;
    tally.add();
  }

  return {
    get spent() {
      return spent;
    },

    async live(life) {
      try {
        const socket = await connection.connect(life);
        for (let busy = true; busy && !life.aborted; await pause(random() * pace)) {
          if (random() < 0.2) await createArchive(life);
          busy = await ask(socket);
        }
      } catch (error) {
        // Any other error means that the server was killed, which ends this round.
        if (error instanceof Finding) throw error;
      } finally {
        connection.leave();
      }
    },

    async losses(patience) {
      const socket = await connection.connect(AbortSignal.timeout(patience));
      if (unsent) await ask(socket);
      const unseen = await connection.unseen(patience);
      const lost = await findLosses(app, index, { userId, token }, memory, Date.now() + patience);
      connection.leave();
      return unseen + lost;
    },
  };
}

/** Opens a socket for each round, and does not look for what it misses. */
function connectEachRound({ app, index, account }: Parameters<NonNullable<Options['open']>>[0], onAnswer: OnAnswer): Connection {
  let socket: TestSocket | undefined;
  return {
    async connect() {
      socket = await connect(app.url, account.token, fromAddress(index));
      return socket.on('chat_response', onAnswer);
    },
    acknowledged: () => undefined,
    leave: () => void socket?.disconnect(),
    unseen: async () => 0,
  };
}

/** Notes a question or an edit that the server acknowledged. */
function noteQuestion({ archives, questions }: Memory, id: string, { archive_id, message }: ChatMessage): void {
  archives.add(archive_id);
  const { texts = 0 } = questions.get(id) ?? {};
  questions.set(id, { archiveId: archive_id, text: message, texts: texts + 1 });
}

function countAnswer({ answersHeard }: Memory, { chat_id, user_message }: ChatResponse): void {
  const key = `${chat_id} ${user_message}`;
  answersHeard.set(key, (answersHeard.get(key) ?? 0) + 1);
}

/** Reads what the server has stored, and counts what is wrong with it. */
async function findLosses(
  app: RunningApp,
  index: number,
  { userId, token }: Pick<Account, 'userId' | 'token'>,
  memory: Memory,
  deadline: number,
) {
  const read = (path: string) => readUntil(deadline, () => call(app, index, path, { token }));
  const listed = archivesAnswer.parse((await read(`/user/${userId}/archives/`)).body).data.map(({ id }) => id);
  const stored: Message[] = [];
  for (const archiveId of memory.archives) {
    stored.push(...(await answeredChats(async () => chatsOf(await read(`/archive/${archiveId}/chats`)), deadline)));
  }
  const losses = lossesOf(memory, listed, stored);
  for (const loss of losses) console.error(`Customer ${index}: ${loss}`);
  return losses.length;
}

const pick = <T>(from: Iterable<T>, random: () => number): T | undefined => {
  const all = [...from];
  return all[Math.floor(random() * all.length)];
};

/** Finds the questions in a text. */
export const QUESTION = /Question \S+ about the price of Bitcoin/g;

/** Returns a new question, or an edit of an earlier one. */
function nextMessage(userId: string, { archives, questions }: Memory, random: () => number): ChatMessage {
  const earlier = random() < 0.25 ? pick(questions, random) : undefined;
  const archiveId = earlier?.[1].archiveId ?? (random() < 0.7 ? pick(archives, random) : undefined) ?? randomUUID();
  return {
    client_id: randomUUID(),
    user_id: userId,
    archive_id: archiveId,
    message: `Question ${randomUUID()} about the price of Bitcoin`,
    chat_id: earlier?.[0] ?? 0,
    chat_image: null,
  };
}

type Answer = Awaited<ReturnType<typeof call>>;

/** Reads again while the server refuses: a process may still be starting. Any other refusal, and one at the deadline, is a finding. */
async function readUntil(deadline: number, read: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await read();
    if (answer.status === 200 || answer.status === 404) return answer;
    if (answer.status !== 503 || Date.now() > deadline)
      throw new Finding(`A read answered ${answer.status} ${JSON.stringify(answer.body)}`);
    console.error(`A read is refused: ${JSON.stringify(answer.body)}`);
    await pause(1_000);
  }
}

const chatsOf = ({ status, body }: Answer): Message[] => (status === 200 ? conversationAnswer.parse(body).data : []);

/** Reads the chats of an archive until all are answered or the deadline has passed. */
async function answeredChats(read: () => Promise<Message[]>, deadline: number): Promise<Message[]> {
  for (;;) {
    const chats = await read();
    if (Date.now() > deadline || chats.every((chat) => chat.chat_status === 'ai-responce')) return chats;
    await pause(50);
  }
}

/** Names what is missing, changed, doubled or unanswered. */
function lossesOf({ archives, questions, answersHeard }: Memory, listed: readonly string[], stored: readonly Message[]): string[] {
  const losses: string[] = [];
  for (const id of archives) {
    const times = listed.filter((other) => other === id).length;
    if (times !== 1) losses.push(`conversation ${id} is listed ${times} times`);
  }
  for (const [id, { archiveId, text }] of questions) {
    const [chat, ...doubles] = stored.filter((other) => other.id === id);
    const whole = chat?.archive_id === archiveId && chat.user_message === text && chat.ai_response !== '' && doubles.length === 0;
    if (!whole) losses.push(`question ${id} "${text}" is ${JSON.stringify(chat)}, and ${doubles.length} more`);
  }
  for (const { id, user_message } of stored) if (!questions.has(id)) losses.push(`question ${id} "${user_message}" was never acknowledged`);
  for (const [answer, times] of answersHeard) {
    // The news of an earlier answer, delayed by an outage, brings the answer that an edit has by then.
    const most = questions.get(answer.split(' ')[0] ?? '')?.texts ?? 1;
    if (times > most) losses.push(`the answer to ${answer} came ${times} times`);
  }
  return losses;
}
