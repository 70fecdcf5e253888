import { createHmac } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { pauseAfterFailure } from '../fan-out/pause-after-failure.ts';
import { measure } from '../metrics/measurements.ts';
import type { CountStore } from './limits.ts';

/** Windows with uses that wait for the store. Further ones count in this process alone until they are used again. */
const MAX_WAITING = 20_000;
/** Windows that are sent at once. */
const MAX_BATCH = 1_000;
const FIRST_PAUSE = 200;
const MAX_PAUSE = 2_000;

/** A key's window as this process knows it. */
export interface Window {
  name: string;
  key: string;
  /** Set when it is first sent. */
  id?: string;
  span: number;
  /** ms of `now`. */
  endsAt: number;
  /** Uses of all processes when the store last answered, uses on their way to it, and uses that wait. */
  known: number;
  sent: number;
  waiting: number;
}

export interface ShareOptions {
  /** Least time from one batch to the next, ms. */
  interval: number;
  /** Key of the hashes that the store sees instead of addresses. All processes have the same. */
  secret: string;
  log: Pick<FastifyBaseLogger, 'warn' | 'info'>;
  /** Monotonic time, ms: a clock that is set must open or shut no limit. */
  now: () => number;
}

/** Adds uses to the store in batches, in the background, and notes in the windows what the store answers. */
export function shareCounts(store: CountStore, { interval, secret, log, now }: ShareOptions) {
  const waiting = new Set<Window>();
  const closing = new AbortController();
  const report = createReport(log);
  let isRunning = false;
  let isAway = false;

  /** Takes the next windows, and leaves out those that have ended. */
  function takeBatch(): Window[] {
    const batch: Window[] = [];
    for (const window of waiting) {
      if (batch.length === MAX_BATCH) break;
      waiting.delete(window);
      if (window.endsAt > now()) batch.push(window);
    }
    return batch;
  }

  /** Returns whether the store has answered. */
  async function sendBatch(): Promise<boolean> {
    const batch = takeBatch();
    // While the store is away, an empty batch finds out when it is back.
    if (batch.length === 0 && !isAway) return false;
    const uses = batch.map((window) => ({ id: idOf(secret, window), amount: window.waiting, span: window.span }));
    for (const window of batch) [window.sent, window.waiting] = [window.waiting, 0];
    let isSent = false;
    try {
      const counts = await store.add(uses, () => {
        isSent = true;
      });
      batch.forEach((window, index) => {
        const { used = 0, left = 0 } = counts[index] ?? {};
        Object.assign(window, { known: used, sent: 0, endsAt: now() + Math.min(left, window.span) });
      });
      return true;
    } catch (error) {
      // Uses that may be stored are not sent again: a slow store would count them with each attempt.
      for (const window of batch) {
        window[isSent ? 'known' : 'waiting'] += window.sent;
        window.sent = 0;
        if (!isSent) waiting.add(window);
      }
      throw error;
    }
  }

  async function run(): Promise<void> {
    isRunning = true;
    // Uses of the same turn are sent together.
    await new Promise(setImmediate);
    for (let failures = 0; (waiting.size > 0 || isAway) && !closing.signal.aborted; ) {
      try {
        if (await sendBatch()) report(true);
        isAway = false;
        failures = 0;
        await pause(interval, undefined, { signal: closing.signal, ref: false }).catch(() => undefined);
      } catch (error) {
        if (closing.signal.aborted) break;
        isAway = true;
        report(false, error);
        await pauseAfterFailure(failures++, { first: FIRST_PAUSE, max: MAX_PAUSE, signal: closing.signal });
      }
    }
    isRunning = false;
  }

  return {
    /** Queues the uses of a window that wait. Returns at once. */
    add(window: Window): void {
      if (closing.signal.aborted || waiting.size >= MAX_WAITING) return;
      waiting.add(window);
      if (!isRunning) void run();
    },

    async close(): Promise<void> {
      closing.abort(new Error('The server is closing'));
      await store.close();
    },
  };
}

/** Returns a window's id in the store, which it keeps. */
function idOf(secret: string, window: Window): string {
  window.id ??= createHmac('sha256', secret).update(`limit ${window.name}\0${window.key}`).digest('hex').slice(0, 32);
  return window.id;
}

/** Returns a function that logs and measures when limits begin or cease to count for all processes. */
function createReport(log: ShareOptions['log']) {
  /** Undefined before the first batch. */
  let isShared: boolean | undefined;
  return (is: boolean, err?: unknown): void => {
    if (isShared === is) return;
    if (!is) log.warn({ err }, 'limits count in this process alone');
    else if (isShared !== undefined) log.info('limits count for all processes again');
    isShared = is;
    measure('limits', { isShared });
  };
}
