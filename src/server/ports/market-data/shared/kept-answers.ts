import { type Clock, DAY, SECOND } from '#domain/clock.ts';
import type { Db } from '#server/db/open.ts';
import { withDeadline } from '#server/with-deadline.ts';
import type { Cached, Origin } from '../last-good.ts';
import { memo } from '../memo.ts';
import { keepAnswer, readAnswer } from './answer-rows.ts';
import { type Answers, createNewest, type Kind } from './answers.ts';

/** Time limit of reading a row, ms. */
const READ_LIMIT = 3 * SECOND;

/** Keeps the answers of a process that is alone, some of them over a restart. */
export const createKeptAnswers = (db: Db, clock: Clock): Answers => ({
  kind(name, { origin, max, aged, isKept }) {
    if (!isKept) return createNewest(origin, max);
    return createNewest((id) => kept({ db, clock, key: `${name}:${id}`, aged, origin: origin(id) }), max);
  },
});

interface Options<Value> extends Pick<Kind<Value>, 'aged'> {
  db: Db;
  clock: Clock;
  key: string;
  origin: Origin<Value>;
}

/** Returns the value that the database has while it is good, then those of the origin, which it stores. */
function kept<Value extends object>({ db, clock, key, aged, origin }: Options<Value>): Cached<Value> {
  const old = memo(aged);
  let reading: Promise<void> | undefined;
  let stored: Value | undefined;
  let goodUntil = Number.NEGATIVE_INFINITY;

  async function read(): Promise<void> {
    const row = await withDeadline(READ_LIMIT, undefined, () => readAnswer(db, key, 0));
    if (!row?.value) return;
    stored = JSON.parse(row.value);
    // A clock that was set back would keep the value for longer than any candle lasts.
    goodUntil = clock() + Math.min(row.left, DAY);
  }

  const fresh = (): Value | undefined => (clock() < goodUntil ? stored : undefined);

  async function ask(): Promise<Value> {
    const before = origin.last();
    const value = await origin.get();
    stored = undefined;
    const isGood = value !== before && (await origin.fresh()) === value;
    // What is not stored is asked for again after a restart.
    if (isGood) void keepAnswer(db, key, value, origin.left()).catch(() => undefined);
    return value;
  }

  return {
    last: () => origin.last() ?? stored,
    fresh: async () => fresh() ?? origin.fresh(),
    async get() {
      reading ??= read().catch(() => undefined);
      await reading;
      const good = fresh();
      if (good) return good;
      return ask().catch((error: unknown) => {
        if (!stored) throw error;
        return old(stored);
      });
    },
  };
}
