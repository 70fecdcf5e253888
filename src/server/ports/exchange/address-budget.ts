import { eq, type SQL, sql } from 'drizzle-orm';
import { CLOCK_ROLLBACK_LIMIT, type Clock, MINUTE, SECOND } from '#domain/clock.ts';
import type { Db } from '#server/db/open.ts';
import { budgets } from '#server/db/schema/requests.ts';
import { timeOf, windowEnd } from '#server/db/windows.ts';
import { measure } from '#server/metrics/measurements.ts';
import { ExchangeError } from './exchange.ts';

/** How urgent a request is, most urgent first. */
export const URGENCIES = ['protect', 'exit', 'look', 'entry'] as const;
export type Urgency = (typeof URGENCIES)[number];

/** The part of a window that requests of each urgency may fill. The rest stays free for more urgent ones. */
const SHARES: Record<Urgency, number> = { protect: 1, exit: 0.96, look: 0.92, entry: 0.85 };
/** Requests that one statement counts. */
const BATCH = 16;
/** Requests that wait at once in a process, and how long each waits at most, ms. */
const MAX_WAITING = 5000;
const MAX_WAIT = 20 * SECOND;
/** How long a blocked address sends nothing, ms. */
const BLOCK = 10 * MINUTE;
/** Uses of a blocked address, more than any window has. */
const BLOCKED = 1_000_000_000;

interface Options {
  db: Db;
  clock: Clock;
  /** Whether no other process counts: then windows run by `clock`, else by the database's clock, which all processes share. */
  isAlone: boolean;
  /** Names the limit in the database. */
  name: string;
  /** At most `max` requests in each window of `span` ms. */
  limit: { max: number; span: number };
}

export interface AddressBudget {
  /**
   * Waits until the address may send one more request.
   * @throws ExchangeError `rate-limit` if the exchange has blocked the address, or after 20 s
   */
  take(urgency: Urgency): Promise<void>;
  /** Notes that the exchange has blocked the address. No process sends it anything for ten minutes. */
  block(): Promise<void>;
}

interface Waiting {
  urgency: Urgency;
  since: number;
  resolve: () => void;
  reject: (error: unknown) => void;
}

const limited = (why: string): ExchangeError => new ExchangeError('rate-limit', why);

/** Adds milliseconds to a time of the database. */
const later = (time: SQL, span: number): SQL<Date> => sql`${time} + ${span}::float8 * interval '1 millisecond'`;

/** Creates the count of requests in the database. */
function createCount({ db, clock, isAlone, name, limit: { max, span } }: Options) {
  const now = () => timeOf(isAlone ? clock : 'database');
  const left = () => sql<number>`extract(epoch from ${budgets.endsAt} - ${now()})::float8 * 1000`;

  /** Counts requests in the current window if all of them fit. */
  async function count(urgency: Urgency, amount: number): Promise<boolean> {
    // A statement that began in the window before may come later than one of this window.
    const isCurrent = sql`(${budgets.used} < ${BLOCKED} and ${budgets.endsAt} >= excluded.ends_at and ${budgets.endsAt} <= ${later(sql`excluded.ends_at`, CLOCK_ROLLBACK_LIMIT)})`;
    const isBlocked = sql`(${budgets.used} >= ${BLOCKED} and ${budgets.endsAt} > ${now()} and ${budgets.endsAt} <= ${later(now(), BLOCK + CLOCK_ROLLBACK_LIMIT)})`;
    const counted = await db
      .insert(budgets)
      .values({ key: name, used: amount, endsAt: windowEnd(now(), span) })
      .onConflictDoUpdate({
        target: budgets.key,
        set: {
          used: sql`case when ${isCurrent} then ${budgets.used} + excluded.used else excluded.used end`,
          endsAt: sql`case when ${isCurrent} then ${budgets.endsAt} else excluded.ends_at end`,
        },
        setWhere: sql`not ${isBlocked} and (not ${isCurrent} or ${budgets.used} + excluded.used <= ${Math.floor(max * SHARES[urgency])})`,
      })
      .returning({ used: budgets.used, left: left() });
    const [row] = counted;
    measure('exchangeBudget', { budget: name, left: row ? Math.max(0, max - row.used) : 0, max, endsAt: clock() + (row?.left ?? span) });
    return row !== undefined;
  }

  return {
    /** Returns how many of `amount` requests may be sent at once. */
    async draw(urgency: Urgency, amount: number): Promise<number> {
      for (let some = amount; some >= 1; some = Math.floor(some / 2)) if (await count(urgency, some)) return some;
      return 0;
    },

    /** Returns how long the window or a block of the address lasts, ms. */
    async rest(): Promise<{ isBlocked: boolean; left: number }> {
      const [row] = await db.select({ used: budgets.used, left: left() }).from(budgets).where(eq(budgets.key, name));
      return { isBlocked: row !== undefined && row.used >= BLOCKED, left: row?.left ?? 0 };
    },

    async block(): Promise<void> {
      const blocked = { used: BLOCKED, endsAt: later(now(), BLOCK) };
      const row = { key: name, ...blocked };
      await db.insert(budgets).values(row).onConflictDoUpdate({ target: budgets.key, set: blocked });
    },
  };
}

/** Creates the budget of requests that all processes on a database share, because an exchange counts them by network address. */
export function createAddressBudget(options: Options): AddressBudget {
  const { clock, limit } = options;
  const count = createCount(options);
  let waiting: Waiting[] = [];
  let isServing = false;
  /** Ends the pause until the next window. */
  let wake: () => void = () => undefined;
  let blockedTo = 0;

  const isBlocked = (): boolean => clock() < blockedTo && blockedTo <= clock() + BLOCK + CLOCK_ROLLBACK_LIMIT;
  const blockedError = (): ExchangeError =>
    limited(`The exchange blocks our network address until ${new Date(blockedTo).toISOString().slice(11, 16)} UTC.`);

  /** Rejects all that wait, if `why` is given, and else those that wait for too long. */
  function giveUp(why?: unknown): void {
    const now = clock();
    const isLate = ({ since }: Waiting) => why !== undefined || Math.abs(now - since) > MAX_WAIT;
    const late = waiting.filter(isLate);
    waiting = waiting.filter((one) => !isLate(one));
    for (const { reject } of late) reject(why ?? limited('Too many requests to the exchange wait. This one waited for 20 s.'));
  }

  async function serveNext(): Promise<void> {
    const urgency = URGENCIES.find((some) => waiting.some((one) => one.urgency === some));
    const next = waiting.filter((one) => one.urgency === urgency).slice(0, BATCH);
    if (urgency === undefined) return;
    const drawn = await count.draw(urgency, next.length);
    const served = next.slice(0, drawn);
    waiting = waiting.filter((one) => !served.includes(one));
    for (const { resolve } of served) resolve();
    if (drawn > 0) return;
    const rest = await count.rest();
    blockedTo = rest.isBlocked ? clock() + rest.left : 0;
    if (isBlocked()) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, Math.min(Math.max(rest.left, 1), limit.span, MAX_WAIT));
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async function serve(): Promise<void> {
    isServing = true;
    try {
      while (waiting.length > 0) {
        giveUp(isBlocked() ? blockedError() : undefined);
        await serveNext();
      }
    } catch (error) {
      giveUp(error);
    }
    isServing = false;
  }

  return {
    async take(urgency) {
      if (isBlocked()) throw blockedError();
      if (waiting.length >= MAX_WAITING) throw limited('Too many requests to the exchange wait.');
      await new Promise<void>((resolve, reject) => {
        const isFirst = !waiting.some((one) => URGENCIES.indexOf(one.urgency) <= URGENCIES.indexOf(urgency));
        waiting.push({ urgency, since: clock(), resolve, reject });
        if (isFirst) wake();
        if (!isServing) void serve();
      });
    },

    async block() {
      blockedTo = clock() + BLOCK;
      await count.block();
    },
  };
}
