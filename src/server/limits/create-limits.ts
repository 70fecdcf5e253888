import { createHmac } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { pauseAfterFailure } from '../fan-out/pause-after-failure.ts';
import { measure } from '../metrics/measurements.ts';
import type { CountStore, Limits } from './limits.ts';
import { createRecentMap } from './recent-map.ts';

/** Keys that each limit counts in this process; those not used for longest are forgotten. */
const MAX_KEYS = 10_000;
/** Windows with uses that wait for the store. Further ones count in this process alone until they are used again. */
const MAX_WAITING = 20_000;
/** Windows that are sent at once. */
const MAX_BATCH = 1_000;
const FIRST_PAUSE = 200;
const MAX_PAUSE = 2_000;

interface Window {
  name: string;
  key: string;
  span: number;
  /** ms of `now`. */
  endsAt: number;
  /** Uses of all processes when the store last answered, uses on their way to it, and uses that wait. */
  known: number;
  sent: number;
  waiting: number;
}

export interface LimitOptions {
  /** Counts for all processes; undefined in the only process of a database. */
  store?: CountStore | undefined;
  /** Least time from one batch to the next, ms. */
  interval: number;
  /** Key of the hashes that the store sees instead of addresses. All processes have the same. */
  secret: string;
  log: Pick<FastifyBaseLogger, 'warn' | 'info'>;
  /** Monotonic time, ms: a clock that is set must open or shut no limit. */
  now?: () => number;
}

/**
 * Counts in memory, and adds the uses to a store in batches, so that no request waits for it. Without the store, each process limits
 * what it counts itself.
 */
export function createLimits({ store, interval, secret, log, now = () => performance.now() }: LimitOptions): Limits {
  const names = new Set<string>();
  const waiting = new Set<Window>();
  const closing = new AbortController();
  let isRunning = false;
  /** Undefined before the first batch. */
  let isShared: boolean | undefined;

  const idOf = ({ name, key }: Window) => createHmac('sha256', secret).update(`limit ${name}\0${key}`).digest('hex').slice(0, 32);

  function share(is: boolean, err?: unknown): void {
    if (isShared === is) return;
    if (!is) log.warn({ err }, 'limits count in this process alone');
    else if (isShared !== undefined) log.info('limits count for all processes again');
    isShared = is;
    measure('limits', { isShared });
  }

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
  async function sendBatch(to: CountStore): Promise<boolean> {
    const batch = takeBatch();
    if (batch.length === 0) return false;
    const uses = batch.map((window) => ({ id: idOf(window), amount: window.waiting, span: window.span }));
    for (const window of batch) [window.sent, window.waiting] = [window.waiting, 0];
    let isSent = false;
    try {
      const counts = await to.add(uses, () => {
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
        if (isSent) window.known += window.sent;
        else window.waiting += window.sent;
        window.sent = 0;
        if (!isSent) waiting.add(window);
      }
      throw error;
    }
  }

  async function run(to: CountStore): Promise<void> {
    isRunning = true;
    // Uses of the same turn are sent together.
    await new Promise(setImmediate);
    for (let failures = 0; waiting.size > 0 && !closing.signal.aborted; ) {
      try {
        if (await sendBatch(to)) share(true);
        failures = 0;
        await pause(interval, undefined, { signal: closing.signal, ref: false }).catch(() => undefined);
      } catch (error) {
        if (closing.signal.aborted) break;
        share(false, error);
        await pauseAfterFailure(failures++, { first: FIRST_PAUSE, max: MAX_PAUSE, signal: closing.signal });
      }
    }
    isRunning = false;
  }

  function announce(window: Window): void {
    if (!store || closing.signal.aborted || waiting.size >= MAX_WAITING) return;
    waiting.add(window);
    if (!isRunning) void run(store);
  }

  return {
    counter(name, { max, span }) {
      if (names.has(name)) throw new Error(`Two limits are named "${name}".`);
      names.add(name);
      const windows = createRecentMap<string, Window>(MAX_KEYS);
      return (key) => {
        const at = now();
        const open = windows.get(key);
        const isOpen = open !== undefined && open.endsAt > at;
        const window = isOpen ? open : { name, key, span, endsAt: at + span, known: 0, sent: 0, waiting: 0 };
        if (!isOpen) windows.set(key, window);
        window.waiting += 1;
        // Further uses change nothing before the window ends: a flood costs the store nothing.
        if (window.known <= max) announce(window);
        const used = window.known + window.sent + window.waiting;
        return { used, left: window.endsAt - at, isAllowed: used <= max };
      };
    },

    async close() {
      closing.abort(new Error('The server is closing'));
      await store?.close();
    },
  };
}
