import type { FastifyBaseLogger } from 'fastify';
import type { Own } from '#domain/analyst/own.ts';
import type { Clock } from '#domain/clock.ts';
import { PRODUCT } from '#domain/product.ts';
import { isBadValue, isDatabaseAway } from '#server/db/database-errors.ts';
import { lockUserIfThere } from '#server/db/lock-user.ts';
import type { Db } from '#server/db/open.ts';
import { together } from '#server/db/together.ts';
import { whenBack } from '#server/db/when-back.ts';
import { type Measurements, measure, secondsSince } from '#server/metrics/measurements.ts';
import { PictureUnreadable } from '#server/pictures/picture-reader.ts';
import type { Analyst } from '#server/ports/analyst/analyst.ts';
import { BlobStoreAwayError } from '#server/ports/blobs/blob-store.ts';
import { inSpan } from '#server/tracing/spans.ts';
import type { Allowances } from '../allowances/service.ts';
import type { Archives } from '../archives/service.ts';
import { type Answered, askAnalyst } from './ask-analyst.ts';
import type { ChatEvents } from './events.ts';
import { freePictureNote } from './free-picture-note.ts';
import type { Images } from './images.ts';
import { type AnsweredRow, dropClaim, type MessageRow, storeAnswer } from './store.ts';
import { toResponse } from './to-message.ts';

/** Shown in place of an answer. */
export const FAILED_ANSWER = `${PRODUCT} could not answer this question. Please edit it or ask again in a moment.`;
const NO_ANSWER: Answered = {
  text: FAILED_ANSWER,
  failed: true,
  cost: 'free',
  marks: null,
  figures: null,
  coins: [],
  choices: [],
  action: null,
  title: '',
};

/** Attempts at an answer. */
const TRIES = 2;

export interface AnsweringParts {
  db: Db;
  archives: Archives;
  allowances: Allowances;
  analyst: Analyst;
  images: Pick<Images, 'read'>;
  /** Returns what the analyst may know of a user. */
  ownOf: (userId: string) => Own;
  events: ChatEvents;
  clock: Clock;
  log: Pick<FastifyBaseLogger, 'warn' | 'error'>;
  /** No other process uses this database (PGlite). */
  alone: boolean;
  /** Time limit of one attempt, ms, from the call of the analyst. */
  timeout: number;
  /** Questions with a picture that this process answers at a time, one per user. */
  picturesAtOnce: number;
  /** Lifetime of a claim without renewal, ms; tests shorten it. */
  claimLifetime?: number | undefined;
  /** Mean time between two polls of the database, ms; tests change it. */
  poll?: number | undefined;
}

interface Parts
  extends Pick<AnsweringParts, 'db' | 'archives' | 'allowances' | 'analyst' | 'images' | 'ownOf' | 'events' | 'clock' | 'log' | 'timeout'> {
  /** Whether answers in progress are given up. */
  isOver: () => boolean;
}

/** Answers one claimed question at a time: asks the analyst, stores the answer, and tells the user's devices. */
export function createAnswerer(parts: Parts) {
  const { db, analyst, images, ownOf, log, timeout, isOver } = parts;
  const inProgress = new Map<MessageRow, AbortController>();

  /** Returns the analyst's answer or an error text; undefined if the work was aborted. Throws if the database stays away. */
  async function tryToAnswer(row: MessageRow): Promise<Answered | undefined> {
    const dropping = new AbortController();
    inProgress.set(row, dropping);
    try {
      for (let count = 1; count <= TRIES; count++) {
        try {
          const { signal: dropped } = dropping;
          return await whenBack(
            () => askAnalyst({ db, analyst, images, ownOf, timeout, dropped }, row),
            () => dropped.aborted,
            (error) => isDatabaseAway(error) || error instanceof BlobStoreAwayError,
          );
        } catch (error) {
          if (dropping.signal.aborted) return undefined;
          if (isDatabaseAway(error)) throw error;
          log.warn({ err: error, question: row.id, attempt: count }, 'no answer from the analyst');
          if (error instanceof BlobStoreAwayError) return NO_ANSWER;
          // A retry would read the same picture with the same result.
          if (error instanceof PictureUnreadable) return { ...NO_ANSWER, cost: 'free-picture' };
        }
      }
      return NO_ANSWER;
    } finally {
      inProgress.delete(row);
    }
  }

  const store = (row: MessageRow, answered: Answered) => whenBack(() => storeWithCost(parts, row, answered), isOver);

  return {
    /** Returns whether the conversation waits for no other answer. */
    async answer(row: MessageRow): Promise<boolean> {
      const began = performance.now();
      const count = (outcome: Measurements['answer']['outcome']) => measure('answer', { outcome, seconds: secondsSince(began) });
      const answered = await inSpan('answer', {}, () => tryToAnswer(row));
      if (!answered) {
        count('dropped');
        await dropClaim(db, row);
        return false;
      }
      const { row: stored, title } = await store(row, answered).catch((error: unknown) => {
        if (!isBadValue(error)) throw error;
        // Asked again, the model would be paid again, and its answer most probably refused again.
        log.error({ err: error, question: row.id }, 'the database refuses the answer');
        return store(row, NO_ANSWER);
      });
      count(!stored ? 'dropped' : stored.failed ? 'failed' : 'answered');
      if (stored) emitAnswer(parts, stored, title);
      return stored?.isLast ?? false;
    },

    /** Aborts work in progress. Its result would not be stored in any case. */
    drop(isUnwanted: (row: MessageRow) => boolean): void {
      for (const [row, dropping] of inProgress) if (isUnwanted(row)) dropping.abort(new Error('The answer is no longer needed'));
    },
  };
}

interface Stored {
  /** Undefined if the question was changed, stopped or deleted in the meantime. */
  row?: AnsweredRow;
  /** The title that the answer gave the conversation. */
  title?: string | undefined;
}

/** Stores an answer and settles its cost in one transaction. */
function storeWithCost({ db, archives, allowances, clock }: Parts, message: MessageRow, answered: Answered): Promise<Stored> {
  const { title, cost, ...answer } = answered;
  const { userId, archiveId, id } = message;
  return db.transaction(async (tx) => {
    // In the order in which a conversation is deleted: another one could deadlock. A deleted user or conversation needs no answer.
    if (!(await lockUserIfThere(tx, userId))) return {};
    const archive = await archives.lock(tx, userId, archiveId);
    if (!archive) return {};
    const isFreePicture = cost === 'free-picture';
    const used = isFreePicture ? await allowances.freePicturesUsed(tx, userId) : undefined;
    const note = used === undefined ? '' : `\n\n${freePictureNote(used)}`;
    const row = await storeAnswer(tx, message, { ...answer, text: answer.text + note }, new Date(clock()));
    if (!row) return {};
    const settle = cost === 'free' ? allowances.release : allowances.spend;
    const isUnnamed = archive.title === '' && !answer.failed;
    const [given] = await together(
      isUnnamed ? archives.name(tx, userId, archiveId, title) : undefined,
      isFreePicture ? allowances.endFreePicture(tx, userId, id) : settle(tx, userId, [id]),
    );
    return { row, title: given };
  });
}

function emitAnswer({ events }: Parts, row: MessageRow, title: string | undefined): void {
  const { userId, archiveId } = row;
  events.emit('response', userId, toResponse(row));
  if (title !== undefined) events.emit('title', userId, { archive_id: archiveId, title });
}
