import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { withDeadline } from '../with-deadline.ts';
import { pauseAfterFailure } from './pause-after-failure.ts';

/** Messages that wait. Further ones are dropped. */
const MAX_WAITING = 20_000;
/** Messages sent at once: one transaction, because PostgreSQL lets one transaction with messages commit at a time. */
const MAX_BATCH = 250;
/** Time from a batch to the next, ms: each wakes up every process. */
const INTERVAL = 20;
const FIRST_PAUSE = 200;
const MAX_PAUSE = 5_000;
/** How long `close` waits, ms. */
const CLOSE_TIMEOUT = 2_000;

interface Options {
  send: (messages: readonly string[]) => Promise<void>;
  /** Sent after messages were dropped. */
  gapMessage: string;
  log: Pick<FastifyBaseLogger, 'warn' | 'info'>;
}

/** Sends messages in batches, in the background: those that arrive up to 20 ms after a batch form the next one. Repeats a failed batch. */
export function createPublisher({ send, gapMessage, log }: Options) {
  const waiting: string[] = [];
  const closing = new AbortController();
  let dropped = 0;
  let running: Promise<void> | undefined;

  async function sendBatch(): Promise<void> {
    const batch = waiting.slice(0, MAX_BATCH);
    await send(batch);
    waiting.splice(0, batch.length);
    if (dropped === 0) return;
    log.warn({ dropped }, 'too many changes at once: all sockets of other processes are told to reload');
    dropped = 0;
    waiting.push(gapMessage);
  }

  async function run(): Promise<void> {
    // Changes that are published together are sent together.
    await new Promise(setImmediate);
    for (let failures = 0; waiting.length > 0; ) {
      try {
        await sendBatch();
        if (failures > 0) log.info('changes reach the other processes again');
        failures = 0;
        if (waiting.length < MAX_BATCH) await pause(INTERVAL, undefined, { signal: closing.signal, ref: false }).catch(() => undefined);
      } catch (err) {
        if (failures === 0) log.warn({ err }, 'changes do not reach the other processes');
        if (closing.signal.aborted) break;
        await pauseAfterFailure(failures++, { first: FIRST_PAUSE, max: MAX_PAUSE, signal: closing.signal });
      }
    }
    running = undefined;
  }

  return {
    /** Queues a message. Returns at once. */
    add(message: string): void {
      if (waiting.length >= MAX_WAITING) dropped += 1;
      else waiting.push(message);
      running ??= run();
    },

    /** Waits briefly until the messages are sent. A failure is not repeated any more. */
    async close(): Promise<void> {
      closing.abort();
      await withDeadline(CLOSE_TIMEOUT, undefined, async () => running).catch(() => undefined);
    },
  };
}
