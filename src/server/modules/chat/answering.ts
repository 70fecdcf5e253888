import { createFairSlots } from '#server/slots.ts';
import { type AnsweringParts, createAnswerer } from './answer-question.ts';
import { createClaims } from './claims.ts';
import { createConversationQueues } from './conversation-queues.ts';
import { dropClaims, findNext, listWaiting, type Next } from './store.ts';

/** Text questions that one process answers at a time, in all and for each user. */
const TEXTS = { size: 16, each: 2 };
/** Mean time between two polls, ms: each poll follows after half to one and a half of it, so that processes do not poll together. */
const POLL_INTERVAL = { shared: 4_000, alone: 15_000 };
/** How long `close` waits for answers in progress, ms. Another process takes over the others. */
const CLOSE_TIMEOUT = 5_000;
/** Conversations queued in one process. The others wait in the database until a later poll. */
const MAX_QUEUES = 1000;

export type Answering = ReturnType<typeof createAnswering>;

/**
 * Answers stored questions: those of a conversation in order, each once. Text and picture questions have separate slots,
 * and users take turns in both. A claim in the database keeps other processes away from a question while its process
 * renews it, so that another process can take over from one that was killed.
 */
export function createAnswering(parts: AnsweringParts) {
  const { db, log, alone, picturesAtOnce, claimLifetime, poll: interval = POLL_INTERVAL[alone ? 'alone' : 'shared'] } = parts;
  const inTextSlot = createFairSlots(TEXTS);
  const inPictureSlot = createFairSlots({ size: picturesAtOnce, each: 1 });
  let isDraining = false; // no more answers start
  let isOver = false; // answers in progress are given up
  let timer: NodeJS.Timeout | undefined;
  const answerer = createAnswerer({ ...parts, isOver: () => isOver });
  const claims = createClaims({ db, log, lifetime: claimLifetime, onLost: (lost) => answerer.drop((row) => row === lost) });

  /** Answers a conversation's questions in order, each when its user gets a slot. `first` may turn out to be another one. */
  async function drain(userId: string, archiveId: string, first?: Next): Promise<void> {
    const find = () => (isDraining ? undefined : findNext(db, userId, archiveId));
    try {
      for (let next = first ?? (await find()); next; next = await find()) {
        const { withPicture } = next;
        const answer = async () => !isDraining && claims.hold({ userId, archiveId, withPicture }, answerer.answer);
        const wasLast = await (withPicture ? inPictureSlot : inTextSlot)(userId, answer);
        if (wasLast) return;
      }
    } catch (error) {
      if (!isOver) log.error({ err: error, archive: archiveId }, 'answering a conversation failed; the next poll retries it');
    }
  }

  const queues = createConversationQueues({ max: MAX_QUEUES, drain, onRoom: poll });

  async function poll(): Promise<void> {
    if (isDraining) return;
    try {
      const waiting = await listWaiting(db, MAX_QUEUES);
      for (const { userId, archiveId } of waiting) queues.wake(userId, archiveId);
    } catch (error) {
      log.error({ err: error }, 'polling for unanswered questions failed');
    }
  }

  function pollLater(): void {
    if (isDraining) return;
    timer = setTimeout(() => void poll().then(pollLater), interval * (0.5 + Math.random())).unref();
  }

  /** Starts no more answers. Other processes answer what waits, and those in progress go on. */
  function stopStarting(): void {
    isDraining = true;
    clearTimeout(timer);
  }

  return {
    /** Starts to answer a conversation's questions. `first` is probably the next one. */
    wake: queues.wake,

    /** Aborts work on answers that are no longer needed. */
    drop: answerer.drop,

    /** Ends work on an answer at once if another process has stopped or changed its question. */
    checkClaim: claims.check,

    /** Answers the questions that an earlier process left, then polls for those of any process. */
    async start(): Promise<void> {
      if (alone) await dropClaims(db);
      await poll();
      pollLater();
    },

    stopStarting,

    /** Waits briefly for the answers in progress, then drops their claims, so that another process can take over at once. */
    async close(): Promise<void> {
      stopStarting();
      const abort = setTimeout(() => {
        isOver = true;
        answerer.drop(() => true);
      }, CLOSE_TIMEOUT);
      await queues.settled();
      clearTimeout(abort);
    },
  };
}
