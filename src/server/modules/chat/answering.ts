import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../../../domain/clock';
import { PRODUCT } from '../../../domain/product';
import type { Db } from '../../db/open';
import type { Analyst } from '../../ports/analyst/analyst';
import { createSlots } from '../../slots';
import type { Allowances } from '../allowances/service';
import type { Archives } from '../archives/service';
import { type Answered, askAnalyst } from './ask-analyst';
import type { ChatEvents } from './events';
import type { Images } from './images';
import { type ChatRow, claimNext, dropClaim, dropClaims, listWaiting, storeAnswer } from './store';
import { toChat } from './to-chat';

/** Shown where the answer would be (spec §8). */
export const FAILED_ANSWER = `${PRODUCT} could not answer this question. Please edit it or ask again in a moment.`;
const NO_ANSWER: Answered = { text: FAILED_ANSWER, failed: true, free: true, marks: null, coins: [], title: '' };

const TRIES = 2;
const AT_ONCE = 16;
const SLACK = 30_000;
const LOOK_AROUND = 15_000;
const PATIENCE_AT_CLOSE = 5_000;

/** What answering needs of the server. */
export interface AnsweringParts {
  db: Db;
  archives: Archives;
  allowances: Allowances;
  analyst: Analyst;
  images: Pick<Images, 'read'>;
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
export function createAnswering({ db, archives, allowances, analyst, images, events, clock, log, alone, timeout }: AnsweringParts) {
  const lanes = new Map<string, Promise<void>>();
  const underway = new Map<ChatRow, AbortController>();
  const inSlot = createSlots(AT_ONCE);
  let closing = false;
  let timer: NodeJS.Timeout | undefined;

  /** The analyst's answer or, where it gives none, the error in its place; undefined when nobody wants it any more. */
  async function answerTo(chat: ChatRow): Promise<Answered | undefined> {
    const dropping = new AbortController();
    underway.set(chat, dropping);
    try {
      for (let count = 1; count <= TRIES; count++) {
        try {
          return await askAnalyst({ db, analyst, images, timeout, dropped: dropping.signal }, chat);
        } catch (error) {
          if (dropping.signal.aborted) return undefined;
          log.warn({ err: error, chat: chat.id, attempt: count }, 'no answer from the analyst');
        }
      }
      return NO_ANSWER;
    } finally {
      underway.delete(chat);
    }
  }

  async function answer(chat: ChatRow): Promise<void> {
    const answered = await answerTo(chat);
    if (!answered) return closing ? dropClaim(db, chat) : undefined;
    const { title, free, ...stored } = answered;
    const { row, titled } = await db.transaction(async (tx) => {
      // The archive first, as whoever deletes it does.
      if (!(await archives.lock(tx, chat.userId, chat.archiveId))) return {};
      const row = await storeAnswer(tx, chat, stored, new Date(clock()));
      if (!row) return {};
      if (free) await allowances.release(tx, chat.userId, [chat.id]);
      else await allowances.spend(tx, chat.userId, chat.id);
      return { row, titled: !stored.failed && (await archives.name(tx, chat.userId, chat.archiveId, title)) };
    });
    if (!row) return;
    events.emit('response', chat.userId, {
      chat_id: chat.id,
      archive_id: chat.archiveId,
      chat_status: 'ai-responce',
      user_message: chat.userMessage,
      ...(stored.failed ? { error: stored.text } : { ai_response: stored.text }),
      chat: toChat(row),
    });
    if (titled) events.emit('title', chat.userId, { archive_id: chat.archiveId, title });
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

  /** Ends the work on answers that nobody wants any more. What comes of it would not be stored either way. */
  function drop(unwanted: (chat: ChatRow) => boolean): void {
    for (const [chat, dropping] of underway) if (unwanted(chat)) dropping.abort(new Error('The answer is not wanted any more'));
  }

  async function takeUp(): Promise<void> {
    for (const { userId, archiveId } of await listWaiting(db, new Date(clock()))) wake(userId, archiveId);
  }

  return {
    wake,

    drop,

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
      const impatience = setTimeout(() => drop(() => true), PATIENCE_AT_CLOSE);
      await Promise.all(lanes.values());
      clearTimeout(impatience);
    },
  };
}
