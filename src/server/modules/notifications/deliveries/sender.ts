import { randomUUID } from 'node:crypto';
import { HOUR, SECOND } from '#domain/clock.ts';
import { createBatcher } from '#server/batcher.ts';
import type { Db } from '#server/db/open.ts';
import { type CountClock, timeOf } from '#server/db/windows.ts';
import { measure } from '#server/metrics/measurements.ts';
import type { Channel, Outcome } from '#server/ports/channels/channel.ts';
import { withDeadline } from '#server/with-deadline.ts';
import type { Notify } from '../service.ts';
import { type Content, compose, MAX_SINGLE } from './compose.ts';
import { recordHealth } from './destination-health.ts';
import { createPlaces, type Place } from './places.ts';
import { AT_ONCE_PER_USER, claimDue, claimHeldBeside, type DeliveryRow, type Ended, findContents, recordEnds } from './store.ts';

/** How often a process looks for deliveries that others stored, ms. Its own are sent at once. */
const POLL = 2 * SECOND;
/** Time limit of an attempt, ms. */
const PATIENCE = 20 * SECOND;
/** Attempts after which a delivery is given up: about three hours. */
const MAX_ATTEMPTS = 12;
/** Waits before the second attempt, and at most, ms. */
const FIRST_WAIT = 5 * SECOND;
const LONGEST_WAIT = HOUR;
/** How long running attempts may take at the end of the process, ms. Another process repeats the others. */
const STOP_LIMIT = 3 * SECOND;
/** Time between two statements that record ends of attempts, ms. Each waits for the disk. */
const RECORD_PAUSE = 150;
/** Characters of a stored reason. */
const MAX_REASON = 200;

interface Parts {
  db: Db;
  clock: CountClock;
  notify: Notify;
  report: (error: unknown) => void;
  /** Interval of the polling, ms. */
  poll?: number | undefined;
}

export interface Sender {
  start(): void;
  /** Looks for due deliveries now. */
  wake(): void;
  /** Resolves when this process sends nothing. */
  settled(): Promise<void>;
  /** Claims nothing any more, and waits for the attempts that run. */
  close(): Promise<void>;
}

/** Creates what sends the deliveries of a channel. Any number of processes can send by the same channel. */
export function createSender(channel: Channel, { db, clock, notify, report, poll = POLL }: Parts): Sender {
  /** Running attempts by user. */
  const running = new Map<string, number>();
  const attempts = new Set<Promise<void>>();
  const places = createPlaces(channel.atOnce);
  let timer: NodeJS.Timeout | undefined;
  let pumping: Promise<void> | undefined;
  let isWoken = false;
  let isClosed = false;
  let isOver = false;
  let pausedUntil = 0;
  const pause = (ms: number) => {
    pausedUntil = performance.now() + ms;
  };
  const attempt = createAttempt(channel, { db, clock, notify, isOver: () => isOver, pause });

  function begin(row: DeliveryRow, others: readonly DeliveryRow[], claim: string): void {
    running.set(row.userId, (running.get(row.userId) ?? 0) + 1);
    const place = places.take();
    const done = attempt(row, others, { claim, place })
      // The claim ends by itself, and then the delivery is tried again.
      .catch(report)
      .finally(() => {
        attempts.delete(done);
        place.leave();
        const left = (running.get(row.userId) ?? 1) - 1;
        if (left > 0) running.set(row.userId, left);
        else running.delete(row.userId);
        wake();
      });
    attempts.add(done);
  }

  /** Claims and begins what is due, as far as there is room. The end of an attempt looks again. */
  async function pump(): Promise<void> {
    for (isWoken = true; isWoken && !isClosed && performance.now() >= pausedUntil; ) {
      const limit = places.free();
      // Few claims for many rows.
      if (limit < Math.ceil(channel.atOnce / 2)) return;
      const claim = randomUUID();
      const busy = [...running].flatMap(([userId, count]) => (count >= AT_ONCE_PER_USER ? userId : []));
      isWoken = false;
      const rows = await claimDue(db, { channel: channel.name, claim, limit, busy, now: timeOf(clock) });
      for (const row of rows) begin(row, row.held ? await claimHeldBeside(db, row, claim, timeOf(clock)) : [], claim);
      if (rows.length > 0) isWoken = true;
    }
  }

  function wake(): void {
    isWoken = true;
    if (isClosed) return;
    pumping ??= pump()
      .catch(report)
      .finally(() => {
        pumping = undefined;
      });
  }

  return {
    start() {
      timer = setInterval(wake, poll).unref();
      wake();
    },
    wake,
    async settled() {
      while (pumping || attempts.size > 0) await Promise.all([pumping, ...attempts]);
    },
    async close() {
      isClosed = true;
      clearInterval(timer);
      await pumping;
      const ending = setTimeout(() => {
        isOver = true;
        places.endAll(new Error('the server stops'));
      }, STOP_LIMIT);
      await Promise.all(attempts);
      clearTimeout(ending);
    },
  };
}

interface Claimed {
  claim: string;
  place: Pick<Place, 'signal' | 'waits'>;
}

interface AttemptParts extends Pick<Parts, 'db' | 'clock' | 'notify'> {
  /** Whether running attempts were ended with the process. */
  isOver(): boolean;
  /** Sends nothing by the channel for so many ms. */
  pause(ms: number): void;
}

/** Creates what sends a claimed delivery, and records what came of it. */
function createAttempt(channel: Channel, { isOver, pause, ...parts }: AttemptParts) {
  const { db, clock } = parts;
  const now = () => timeOf(clock);
  const contentsOf = createBatcher<readonly string[], Content[]>(async (asked) => {
    const found = await findContents(db, asked.flat());
    return asked.map((ids) => found.filter(({ id }) => ids.includes(id)));
  });
  const record = createBatcher<Ended, undefined>(
    async (ends) => {
      await recordEnds(db, ends, now());
      return ends.map(() => undefined);
    },
    { pause: RECORD_PAUSE },
  );

  async function send(row: DeliveryRow, rows: readonly DeliveryRow[], contents: Filled, { claim, place }: Claimed): Promise<void> {
    const ids = idsOf(rows);
    const end = (state: Ended['state'], failure: string | null = null) => record({ ids, claim, state, wait: 0, failure });
    if (row.ifUnseen && contents[0].isSeen) return end('unneeded');
    if (contents[0].destination?.endedAt) return end('failed', 'the destination has ended');
    const outcome = await withDeadline(PATIENCE, place.signal, (signal) => channel.send(compose(row, contents), signal, place.waits)).catch(
      (error: unknown): Outcome => ({ outcome: 'retry', reason: error instanceof Error ? error.message : 'no answer' }),
    );
    // It may have been sent. Its claim ends soon, and another process tries again.
    if (isOver()) return;
    measure('delivery', { channel: channel.name, outcome: outcome.outcome });
    if (contents[0].destination) await recordHealth(parts, contents[0].destination, outcome);
    if (outcome.outcome === 'sent') return end('sent');
    const failure = outcome.reason.slice(0, MAX_REASON);
    if (outcome.outcome !== 'retry') return end('failed', failure);
    const wait = waitOf(row, outcome.after);
    if (outcome.pause) pause(wait);
    if (row.attempts >= MAX_ATTEMPTS) return end('failed', failure);
    await record({ ids, claim, state: 'waiting', wait, failure });
  }

  return async (row: DeliveryRow, others: readonly DeliveryRow[], claimed: Claimed): Promise<void> => {
    const rows = [row, ...others];
    const contents = await contentsOf(idsOf(rows));
    // Without its notification, a delivery is deleted.
    if (!isFilled(contents)) return;
    if (contents.length > MAX_SINGLE) return send(row, rows, contents, claimed);
    for (const one of rows) {
      const content = contents.find(({ id }) => id === one.id);
      if (content) await send(one, [one], [content], claimed);
    }
  };
}

type Filled = readonly [Content, ...Content[]];
const isFilled = (contents: readonly Content[]): contents is Filled => contents.length > 0;

const idsOf = (rows: readonly DeliveryRow[]): string[] => rows.map(({ id }) => id);

/** Returns the wait before the next attempt, ms: twice the last one, half of it by chance, and at least what the provider asks for. */
function waitOf({ attempts }: DeliveryRow, after = 0): number {
  const backOff = Math.min(FIRST_WAIT * 2 ** (attempts - 1), LONGEST_WAIT);
  return Math.max(Math.min(after, LONGEST_WAIT), backOff * (0.5 + Math.random() / 2));
}
