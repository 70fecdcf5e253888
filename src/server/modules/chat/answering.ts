import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../../../domain/clock';
import { PRODUCT } from '../../../domain/product';
import type { Db } from '../../db/open';
import type { Analyst } from '../../ports/analyst/analyst';
import type { Archives } from '../archives/service';
import type { ChatEvents } from './events';
import { createSlots } from './slots';
import { storable } from './storable';
import { type ChatRow, claimNext, dropClaims, historyOf, listWaiting, storeAnswer } from './store';

/** Shown where the answer would be (spec §8). */
export const FAILED_ANSWER = `${PRODUCT} could not answer this question. Please edit it or ask again in a moment.`;

const TRIES = 2;
const HISTORY = 20;
const AT_ONCE = 16;
const SLACK = 30_000;
const LOOK_AROUND = 15_000;
const PATIENCE_AT_CLOSE = 5_000;

/** What answering needs of the server. */
export interface AnsweringParts {
  db: Db;
  archives: Archives;
  analyst: Analyst;
  events: ChatEvents;
  clock: Clock;
  log: Pick<FastifyBaseLogger, 'warn' | 'error'>;
  /** No other process uses this database (PGlite). */
  alone: boolean;
  /** How long one try may take, ms. */
  timeout: number;
}

/**
 * Answers what is stored and unanswered: per archive one after another and in order, each once. A question is
 * claimed in the database first, for as long as answering may take, so that of several processes one answers it
 * and a dead process' questions are taken up by the next that looks.
 */
export function createAnswering({ db, archives, analyst, events, clock, log, alone, timeout }: AnsweringParts) {
  const lanes = new Map<string, Promise<void>>();
  const inSlot = createSlots(AT_ONCE);
  let closing = false;
  let timer: NodeJS.Timeout | undefined;

  async function ask(chat: ChatRow): Promise<{ text: string; title: string } | undefined> {
    const context = { history: await historyOf(db, chat, HISTORY) };
    for (let attempt = 1; attempt <= TRIES; attempt++) {
      try {
        const reply = await within(timeout, analyst.answer(chat.userMessage, { ...context, signal: AbortSignal.timeout(timeout) }));
        const text = storable(reply.text).trim();
        if (!text) throw new Error('The analyst answered nothing');
        return { text, title: storable(analyst.title(chat.userMessage)) };
      } catch (error) {
        log.warn({ err: error, chat: chat.id, attempt }, 'no answer from the analyst');
      }
    }
    return undefined;
  }

  async function answer(chat: ChatRow): Promise<void> {
    const answered = await ask(chat);
    const text = answered?.text ?? FAILED_ANSWER;
    const { stored, titled } = await db.transaction(async (tx) => {
      const stored = await storeAnswer(tx, chat, text, !answered, new Date(clock()));
      const titled = stored && answered ? await archives.name(tx, chat.userId, chat.archiveId, answered.title) : false;
      return { stored, titled };
    });
    if (!stored) return;
    events.emit('response', chat.userId, {
      chat_id: chat.id,
      archive_id: chat.archiveId,
      chat_status: 'ai-responce',
      user_message: chat.userMessage,
      ...(answered ? { ai_response: text } : { error: text }),
    });
    if (answered && titled) events.emit('title', chat.userId, { archive_id: chat.archiveId, title: answered.title });
  }

  async function drain(userId: string, archiveId: string): Promise<void> {
    try {
      while (!closing) {
        const now = clock();
        const chat = await claimNext(db, userId, archiveId, new Date(now), new Date(now + TRIES * timeout + SLACK));
        if (!chat) return;
        await answer(chat);
      }
    } catch (error) {
      if (!closing) log.error({ err: error, archive: archiveId }, 'answering stopped; it is taken up again later');
    }
  }

  /** Sees to an archive's unanswered questions after whatever is already being done for it. */
  function wake(userId: string, archiveId: string): void {
    const key = `${userId}/${archiveId}`;
    const lane = (lanes.get(key) ?? Promise.resolve())
      .then(() => inSlot(() => drain(userId, archiveId)))
      .finally(() => {
        if (lanes.get(key) === lane) lanes.delete(key);
      });
    lanes.set(key, lane);
  }

  async function takeUp(): Promise<void> {
    for (const { userId, archiveId } of await listWaiting(db, new Date(clock()))) wake(userId, archiveId);
  }

  return {
    wake,

    /** Takes up what an earlier process left, and from now on what any process leaves. */
    async start(): Promise<void> {
      if (alone) await dropClaims(db);
      await takeUp();
      timer = setInterval(() => {
        takeUp().catch((error: unknown) => log.error({ err: error }, 'could not look for unanswered questions'));
      }, LOOK_AROUND).unref();
    },

    /** Begins nothing new and gives answers underway a moment; what does not make it is answered after the next start. */
    async close(): Promise<void> {
      closing = true;
      clearInterval(timer);
      await within(PATIENCE_AT_CLOSE, Promise.all(lanes.values())).catch(() => undefined);
    },
  };
}

/** Rejects when `work` takes longer than `limit` ms. */
async function within<T>(limit: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer within ${limit} ms`)), limit);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
