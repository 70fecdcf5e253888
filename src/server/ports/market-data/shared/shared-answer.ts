import { setTimeout as pause } from 'node:timers/promises';
import { SECOND } from '#domain/clock.ts';
import type { Db } from '#server/db/open.ts';
import { withDeadline } from '#server/with-deadline.ts';
import { type Cached, Unknown } from '../last-good.ts';
import { memo } from '../memo.ts';
import { readAnswer, wantAnswer } from './answer-rows.ts';

/** Time limit of reading a row, ms. */
const READ_LIMIT = 3 * SECOND;
/** How long a caller waits for the leader, ms: without any answer, and with an old one to show. */
const FIRST_WAIT = 10 * SECOND;
const RENEWAL_WAIT = 2 * SECOND;
/** Pauses between the looks at the row while hints are lost, ms. */
const FIRST_PAUSE = 100;
const LAST_PAUSE = SECOND;

interface Options<Value> {
  db: Db;
  key: string;
  aged: (value: Value) => Value;
  /** Tells the leader at once, where the row alone would be found with its next look. */
  demand: (key: string) => void;
}

export interface SharedAnswer<Value> extends Cached<Value> {
  /** Ends a pause of callers that wait: the row may have changed. */
  wake(): void;
}

/** Reads an answer that the leader stores, and asks the leader for it when it is due. */
export function createSharedAnswer<Value extends object>({ db, key, aged, demand }: Options<Value>): SharedAnswer<Value> {
  const old = memo(aged);
  let held: Value | undefined;
  let version = 0;
  let failure: 'unknown' | 'failed' | null = null;
  /** The leader did not answer in time. */
  let isLate = false;
  let goodUntil = Number.NEGATIVE_INFINITY;
  let flight: Promise<Value> | undefined;
  let wake = () => {};

  async function look(): Promise<void> {
    const began = performance.now();
    const row = await withDeadline(READ_LIMIT, undefined, () => readAnswer(db, key, version));
    if (!row) return;
    if (row.version > version) {
      if (row.value !== null) held = JSON.parse(row.value);
      ({ version, failure } = row);
      isLate = false;
    }
    if (row.version === version) goodUntil = began + row.left;
  }

  function result(): Value {
    if (held) return failure || isLate ? old(held) : held;
    if (failure === 'unknown') throw new Unknown(`${key} is unknown to the provider`);
    throw new Error(`${key} has no answer yet`);
  }

  const isGood = (): boolean => performance.now() < goodUntil;

  async function waitForLeader(): Promise<void> {
    const before = version;
    const end = performance.now() + (held ? RENEWAL_WAIT : FIRST_WAIT);
    await wantAnswer(db, key);
    demand(key);
    for (let wait = FIRST_PAUSE; version === before && performance.now() < end; wait = Math.min(2 * wait, LAST_PAUSE)) {
      const woken = new Promise<void>((resolve) => {
        wake = resolve;
      });
      await Promise.race([woken, pause(wait, undefined, { ref: false })]);
      await look();
    }
    if (version !== before) return;
    isLate = true;
    goodUntil = performance.now() + RENEWAL_WAIT;
  }

  async function renew(): Promise<Value> {
    try {
      await look();
      if (!isGood()) await waitForLeader();
    } catch (error) {
      if (!held) throw error;
      isLate = true;
      goodUntil = performance.now() + RENEWAL_WAIT;
    } finally {
      flight = undefined;
    }
    return result();
  }

  return {
    wake: () => wake(),
    last: () => held,
    async get() {
      if (isGood()) return result();
      flight ??= renew();
      return flight;
    },
    async fresh() {
      if (!isGood()) await look().catch(() => undefined);
      return isGood() && !failure && !isLate ? held : undefined;
    },
  };
}
