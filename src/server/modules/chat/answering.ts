import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '#domain/clock.ts';
import { PRODUCT } from '#domain/product.ts';
import { lockUser } from '#server/db/lock-user.ts';
import type { Db } from '#server/db/open.ts';
import { PictureUnreadable } from '#server/pictures/picture-reader.ts';
import type { Analyst } from '#server/ports/analyst/analyst.ts';
import { createFairSlots } from '#server/slots.ts';
import type { Allowances } from '../allowances/service.ts';
import type { Archives } from '../archives/service.ts';
import { type Answered, askAnalyst } from './ask-analyst.ts';
import type { ChatEvents } from './events.ts';
import { freePictureNote } from './free-picture-note.ts';
import type { Images } from './images.ts';
import { createLanes } from './lanes.ts';
import { claimNext, dropClaim, dropClaims, findNext, listWaiting, type MessageRow, storeAnswer } from './store.ts';
import { toMessage } from './to-message.ts';

/** Shown where the answer would be (spec §8). */
export const FAILED_ANSWER = `${PRODUCT} could not answer this question. Please edit it or ask again in a moment.`;
const NO_ANSWER: Answered = { text: FAILED_ANSWER, failed: true, cost: 'free', marks: null, coins: [], title: '' };

const TRIES = 2;
/** Text questions that one process answers at a time, and how many of them may be one user's. */
const TEXTS = { size: 16, each: 2 };
const SLACK = 30_000;
const LOOK_AROUND = 15_000;
const PATIENCE_AT_CLOSE = 5_000;
/** Conversations that wait in one process. The database keeps the others, and the next look finds them. */
const MOST_LANES = 1000;

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
  /** How long one try may take, ms, from the moment the analyst is called. */
  timeout: number;
  /** Questions with a picture that this process answers at a time, one of each user. */
  picturesAtOnce: number;
}

/**
 * Answers stored questions: those of an archive in order, each once. Text questions and picture questions have slots of
 * their own, and users take turns in both. A question is claimed in the database when its work begins, for as long as
 * that may take, so that one of several processes answers it and another takes over the questions of a killed one.
 */
export function createAnswering(parts: AnsweringParts) {
  const { db, archives, allowances, analyst, images, events, clock, log, alone, timeout, picturesAtOnce } = parts;
  const underway = new Map<MessageRow, AbortController>();
  const inTextSlot = createFairSlots(TEXTS);
  const inPictureSlot = createFairSlots({ size: picturesAtOnce, each: 1 });
  let closing = false;
  let timer: NodeJS.Timeout | undefined;

  /** The analyst's answer or, where it gives none, the error in its place; undefined when nobody wants it any more. */
  async function answerTo(message: MessageRow): Promise<Answered | undefined> {
    const dropping = new AbortController();
    underway.set(message, dropping);
    try {
      for (let count = 1; count <= TRIES; count++) {
        try {
          return await askAnalyst({ db, analyst, images, timeout, dropped: dropping.signal }, message);
        } catch (error) {
          if (dropping.signal.aborted) return undefined;
          log.warn({ err: error, question: message.id, attempt: count }, 'no answer from the analyst');
          // A second look at the same picture would end the same way.
          if (error instanceof PictureUnreadable) return { ...NO_ANSWER, cost: 'free-picture' };
        }
      }
      return NO_ANSWER;
    } finally {
      underway.delete(message);
    }
  }

  /** Stores an answer together with what it costs. Empty when the question was changed, stopped or deleted meanwhile. */
  function store(message: MessageRow, { title, cost, ...answer }: Answered): Promise<{ row?: MessageRow; titled?: boolean }> {
    return db.transaction(async (tx) => {
      const isFreePicture = cost === 'free-picture';
      if (isFreePicture) await lockUser(tx, message.userId);
      // The archive first, as whoever deletes it does.
      if (!(await archives.lock(tx, message.userId, message.archiveId))) return {};
      const used = isFreePicture ? await allowances.freePicturesUsed(tx, message.userId) : undefined;
      const note = used === undefined ? '' : `\n\n${freePictureNote(used)}`;
      const row = await storeAnswer(tx, message, { ...answer, text: answer.text + note }, new Date(clock()));
      if (!row) return {};
      if (isFreePicture) await allowances.endFreePicture(tx, message.userId, message.id);
      else if (cost === 'free') await allowances.release(tx, message.userId, [message.id]);
      else await allowances.spend(tx, message.userId, [message.id]);
      return { row, titled: !answer.failed && (await archives.name(tx, message.userId, message.archiveId, title)) };
    });
  }

  async function answer(message: MessageRow): Promise<void> {
    const answered = await answerTo(message);
    if (!answered) return closing ? dropClaim(db, message) : undefined;
    const { row, titled } = await store(message, answered);
    if (!row) return;
    events.emit('response', message.userId, {
      chat_id: message.id,
      archive_id: message.archiveId,
      chat_status: 'ai-responce',
      user_message: message.userMessage,
      ...(row.failed ? { error: row.aiResponse } : { ai_response: row.aiResponse }),
      chat: toMessage(row),
    });
    if (titled) events.emit('title', message.userId, { archive_id: message.archiveId, title: answered.title });
  }

  /** Answers an archive's questions in order, each when its user gets a slot of its kind. */
  async function drain(userId: string, archiveId: string): Promise<void> {
    try {
      for (;;) {
        const next = closing ? undefined : await findNext(db, userId, archiveId, new Date(clock()));
        if (!next) return;
        const inSlot = next.withPicture ? inPictureSlot : inTextSlot;
        await inSlot(userId, async () => {
          if (closing) return;
          const now = clock();
          const until = new Date(now + TRIES * timeout + SLACK);
          const message = await claimNext(db, { userId, archiveId, ...next }, new Date(now), until);
          if (message) await answer(message);
        });
      }
    } catch (error) {
      if (!closing) log.error({ err: error, archive: archiveId }, 'answering stopped; it is taken up again later');
    }
  }

  /** Ends the work on answers that nobody wants any more. What comes of it would not be stored either way. */
  function drop(unwanted: (message: MessageRow) => boolean): void {
    for (const [message, dropping] of underway) if (unwanted(message)) dropping.abort(new Error('The answer is not wanted any more'));
  }

  const lanes = createLanes({ most: MOST_LANES, drain, onRoom: takeUp });

  async function takeUp(): Promise<void> {
    if (closing) return;
    try {
      const waiting = await listWaiting(db, new Date(clock()), MOST_LANES);
      for (const { userId, archiveId } of waiting) lanes.wake(userId, archiveId);
    } catch (error) {
      log.error({ err: error }, 'could not look for unanswered questions');
    }
  }

  return {
    /** Sees to an archive's unanswered questions. */
    wake: lanes.wake,

    drop,

    /** Takes up what an earlier process left, and from now on what any process leaves. */
    async start(): Promise<void> {
      if (alone) await dropClaims(db);
      await takeUp();
      timer = setInterval(() => void takeUp(), LOOK_AROUND).unref();
    },

    /** Begins nothing new and gives answers underway a moment; what does not make it is answered after the next start. */
    async close(): Promise<void> {
      closing = true;
      clearInterval(timer);
      const impatience = setTimeout(() => drop(() => true), PATIENCE_AT_CLOSE);
      await lanes.settled();
      clearTimeout(impatience);
    },
  };
}
