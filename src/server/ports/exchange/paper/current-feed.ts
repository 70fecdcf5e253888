import { and, desc, eq, gt, like, lt, lte, ne, sql } from 'drizzle-orm';
import { CLOCK_ROLLBACK_LIMIT, type Clock, DAY, SECOND } from '#domain/clock.ts';
import type { Db, Tx } from '#server/db/open.ts';
import { leases } from '#server/db/schema/operations.ts';
import { paperFeed } from '#server/db/schema/paper.ts';
import { type FeedSpan, feedTime } from '../clock-time.ts';
import { ExchangeError } from '../exchange.ts';

/** The paper market's feed, which all processes share and restarts keep. */
export type PaperFeed = typeof paperFeed.$inferSelect;
type FeedKind = PaperFeed['kind'];

export type Anchor = FeedSpan & Pick<PaperFeed, 'firstCandle'>;

/** History before the very first start, at least; so that charts have something to show. */
const BEHIND = 10 * DAY;
/** How long a process holds the feed without renewing, and how often it renews; ms. */
const LEASE = 30 * SECOND;
const RENEWAL = 10 * SECOND;
/** Begins the names of the leases, one for each process. */
const LEASES = 'paper feed ';

interface Options {
  db: Db;
  clock: Clock;
  /** The feed that this process would use. */
  want: FeedKind;
  /** Names this process. Undefined if no other process can use the database: then this one alone decides. */
  owner?: string | undefined;
  /** Whether this process may change the feed if no other one runs. */
  mayChange: boolean;
  /** Of a replay: 1 is real time. */
  speed: number;
  /** Original time of the replay's first candle, ms. */
  historyStart: number;
  /** Moves all accounts from one feed to the other, in the transaction of the change. */
  onChange: (tx: Tx, from: PaperFeed, to: PaperFeed) => Promise<void>;
}

/** Returns the stored feed; undefined before the first start. */
export const readFeed = async (db: Db | Tx): Promise<PaperFeed | undefined> =>
  (await db.select().from(paperFeed).orderBy(desc(paperFeed.id)).limit(1))[0];

/**
 * Returns the paper market's feed. It changes only when no other process runs on it, so all processes on a database have the same one.
 * The first replay starts at the server's clock and keeps the history's times of day; a new speed continues from its current time.
 */
export const chooseFeed = ({ db, clock, want, owner, mayChange, speed, historyStart, onChange }: Options): Promise<PaperFeed> =>
  db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${LEASES}, 0))`);
    const now = clock();
    const kept = await readFeed(tx);
    const isHeld = owner !== undefined && (await isHeldByOthers(tx, owner, now));
    const kind = kept && (isHeld || !mayChange) ? kept.kind : want;
    const next = nextFeed(kept, { kind, speed, now, firstCandle: firstCandleAt(now, historyStart) });
    if (next !== kept) await tx.insert(paperFeed).values(next);
    if (kept && next.epoch !== kept.epoch) await onChange(tx, kept, next);
    if (owner !== undefined) await renewLease(tx, owner, now);
    return next;
  });

interface Wanted extends Pick<PaperFeed, 'kind' | 'speed' | 'firstCandle'> {
  now: number;
}

function nextFeed(kept: PaperFeed | undefined, { kind, speed, now, firstCandle }: Wanted): PaperFeed {
  const isSame = kept?.kind === kind;
  if (isSame && (kind === 'live' || kept.speed === speed)) return kept;
  const feed = { kind, clockAnchor: now, speed: kind === 'live' ? 1 : speed, lastPrice: null, lastPriceAt: null };
  if (isSame) return { ...kept, ...feed, id: kept.id + 1, feedAnchor: feedTime(kept, now) };
  return { ...feed, id: (kept?.id ?? 0) + 1, epoch: (kept?.epoch ?? 0) + 1, feedAnchor: now, firstCandle };
}

const firstCandleAt = (now: number, historyStart: number): number => historyStart + Math.floor((now - BEHIND - historyStart) / DAY) * DAY;

/** Whether another process runs. A process that was killed counts for half a minute. */
async function isHeldByOthers(tx: Tx, owner: string, now: number): Promise<boolean> {
  const isValid = and(gt(leases.until, new Date(now)), lte(leases.until, new Date(now + CLOCK_ROLLBACK_LIMIT)));
  return (await tx.$count(leases, and(like(leases.name, `${LEASES}%`), ne(leases.owner, owner), isValid))) > 0;
}

async function renewLease(db: Db | Tx, owner: string, now: number): Promise<void> {
  const until = new Date(now + LEASE);
  await db.delete(leases).where(and(like(leases.name, `${LEASES}%`), lt(leases.until, new Date(now))));
  await db
    .insert(leases)
    .values({ name: `${LEASES}${owner}`, owner, until })
    .onConflictDoUpdate({ target: leases.name, set: { until } });
}

/** Keeps other processes from changing the feed until it is closed. */
export function holdFeed(db: Db, { owner, clock, report }: { owner: string; clock: Clock; report: (error: unknown) => void }) {
  const timer = setInterval(() => renewLease(db, owner, clock()).catch(report), RENEWAL).unref();
  return {
    async close(): Promise<void> {
      clearInterval(timer);
      await db.delete(leases).where(eq(leases.name, `${LEASES}${owner}`));
    },
  };
}

/** Throws if accounts belong to a later feed: this process was suspended while another one changed it. */
export async function demandFeed(tx: Tx, epoch: number): Promise<void> {
  if ((await readFeed(tx))?.epoch === epoch) return;
  throw new ExchangeError('unavailable', 'Another server process has changed the prices of paper money. Restart this one.');
}

/** Stores the last live price, unless a later one is known. */
export async function keepLastPrice(db: Db, id: number, { price, at }: { price: number; at: number }): Promise<void> {
  const isLater = sql`coalesce(${paperFeed.lastPriceAt}, 0) < ${at}::float8`;
  await db
    .update(paperFeed)
    .set({ lastPrice: price, lastPriceAt: at })
    .where(and(eq(paperFeed.id, id), isLater));
}
