import { createFairSlots } from '#server/slots.ts';
import { type AnsweringParts, createAnswerer, TRIES } from './answer-question.ts';
import { createConversationQueues } from './conversation-queues.ts';
import { claimNext, dropClaims, findNext, listWaiting } from './store.ts';

/** Text questions that one process answers at a time, in all and for each user. */
const TEXTS = { size: 16, each: 2 };
/** Added to the lifetime of a claim, ms. */
const CLAIM_MARGIN = 30_000;
const POLL_INTERVAL = 15_000;
/** How long `close` waits for answers in progress, ms. */
const CLOSE_TIMEOUT = 5_000;
/** Conversations queued in one process. The others wait in the database until a later poll. */
const MAX_QUEUES = 1000;

export type Answering = ReturnType<typeof createAnswering>;

/**
 * Answers stored questions: those of a conversation in order, each once. Text and picture questions have separate slots,
 * and users take turns in both. A claim in the database keeps other processes away from a question until it expires, so
 * that another process can take over from one that was killed.
 */
export function createAnswering(parts: AnsweringParts) {
  const { db, clock, log, alone, timeout, picturesAtOnce } = parts;
  const inTextSlot = createFairSlots(TEXTS);
  const inPictureSlot = createFairSlots({ size: picturesAtOnce, each: 1 });
  let isClosing = false;
  let timer: NodeJS.Timeout | undefined;
  const answerer = createAnswerer({ ...parts, isClosing: () => isClosing });

  async function answerNext(userId: string, archiveId: string, withPicture: boolean): Promise<void> {
    if (isClosing) return;
    const now = clock();
    const until = new Date(now + TRIES * timeout + CLAIM_MARGIN);
    const row = await claimNext(db, { userId, archiveId, withPicture }, new Date(now), until);
    if (row) await answerer.answer(row);
  }

  /** Answers a conversation's questions in order, each when its user gets a slot. */
  async function drain(userId: string, archiveId: string): Promise<void> {
    try {
      for (;;) {
        const next = isClosing ? undefined : await findNext(db, userId, archiveId, new Date(clock()));
        if (!next) return;
        const inSlot = next.withPicture ? inPictureSlot : inTextSlot;
        await inSlot(userId, () => answerNext(userId, archiveId, next.withPicture));
      }
    } catch (error) {
      if (!isClosing) log.error({ err: error, archive: archiveId }, 'answering a conversation failed; the next poll retries it');
    }
  }

  const queues = createConversationQueues({ max: MAX_QUEUES, drain, onRoom: poll });

  async function poll(): Promise<void> {
    if (isClosing) return;
    try {
      const waiting = await listWaiting(db, new Date(clock()), MAX_QUEUES);
      for (const { userId, archiveId } of waiting) queues.wake(userId, archiveId);
    } catch (error) {
      log.error({ err: error }, 'polling for unanswered questions failed');
    }
  }

  return {
    /** Starts answering a conversation's questions. */
    wake: queues.wake,

    /** Aborts work on answers that are no longer needed. */
    drop: answerer.drop,

    /** Answers the questions that an earlier process left, then polls for those of any process. */
    async start(): Promise<void> {
      if (alone) await dropClaims(db);
      await poll();
      timer = setInterval(() => void poll(), POLL_INTERVAL).unref();
    },

    /** Starts no more answers and waits briefly for those in progress. The next start answers the rest. */
    async close(): Promise<void> {
      isClosing = true;
      clearInterval(timer);
      const abort = setTimeout(() => answerer.drop(() => true), CLOSE_TIMEOUT);
      await queues.settled();
      clearTimeout(abort);
    },
  };
}
