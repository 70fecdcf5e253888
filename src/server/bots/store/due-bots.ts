import { and, asc, eq, gt, inArray, isNotNull, isNull, lt, lte, or, type SQL, sql } from 'drizzle-orm';
import { CLOCK_ROLLBACK_LIMIT, MINUTE, SECOND } from '#domain/clock.ts';
import type { Db } from '#server/db/open.ts';
import { botOrders, bots, isAtWork } from '#server/db/schema/bots.ts';
import { withUnexplained } from './trades.ts';

/** How often a bot with a position runs a cycle without a candle that affects it, ms. */
const HELD_INTERVAL = MINUTE;
/** How often any running bot does, ms. */
const RUNNING_INTERVAL = 5 * MINUTE;
/** The same for bots whose account is watched, so that a look only confirms that nothing was missed. */
const WATCHED_HELD_INTERVAL = 5 * MINUTE;
/** Shorter than the watchdog's limit. */
const WATCHED_RUNNING_INTERVAL = 12 * MINUTE;
/** When a pending order is looked up again, ms after its last change. */
const ORDER_RETRY = 5 * SECOND;
/** The wait for the next look at an unsettled position, as a share of the time that it has been unsettled, and the longest wait, ms. */
const UNSETTLED_WAIT = 0.25;
const LONGEST_UNSETTLED_WAIT = MINUTE;
/** Bots in one sweep. */
const MAX_BOTS = 200;

/**
 * Returns the bots that need a cycle whatever the market does: setting up, stopping or closing, failed, with a pending order or an unsettled
 * position, or not seen for too long. A failed bot waits until `retryAt`, so that it takes no other bot's place. Stopping and closing bots
 * come first, then those with a position, each kind in the order of its last cycle.
 * @param watched bots whose account reports its changes; `all` leaves routine looks to a later call
 */
export async function findDueBots(db: Db, now: number, watched: readonly string[] | 'all' = []): Promise<string[]> {
  const ago = (ms: number) => new Date(now - ms);
  const isNotSeenFor = (ms: number) =>
    or(sql`${bots.lastExchangeAt} is null`, lt(bots.lastExchangeAt, ago(ms)), gt(bots.lastExchangeAt, ago(-CLOCK_ROLLBACK_LIMIT)));
  const isUnwatched = watched === 'all' ? sql`false` : sql`${bots.id} <> all(${`{${watched.join(',')}}`}::uuid[])`;
  const isDueAfter = (unwatched: number, ms: number) => and(isNotSeenFor(unwatched), or(isUnwatched, isNotSeenFor(ms)));
  const seenAt = sql`extract(epoch from ${bots.lastExchangeAt}) * 1000`;
  const isUnsettledDue = sql`${bots.position} -> 'unsettledSince' is not null and ${now} - ${seenAt} >= least(${LONGEST_UNSETTLED_WAIT}, ${UNSETTLED_WAIT} * (${seenAt} - (${bots.position} ->> 'unsettledClock')::float8))`;
  const withPendingOrder = db
    .select({ id: botOrders.botId })
    .from(botOrders)
    .where(
      and(
        inArray(botOrders.state, ['intended', 'accepted']),
        or(lt(botOrders.updatedAt, ago(ORDER_RETRY)), gt(botOrders.updatedAt, ago(-CLOCK_ROLLBACK_LIMIT))),
      ),
    );
  const isDue = or(
    inArray(bots.status, ['PROVISIONING', 'STOPPING']),
    isNotNull(bots.closing),
    and(isNotNull(bots.leaseOwner), lt(bots.leaseUntil, new Date(now))),
    and(eq(bots.status, 'RUNNING'), or(isNotNull(bots.retryAt), isDueAfter(RUNNING_INTERVAL, WATCHED_RUNNING_INTERVAL))),
    and(isNotNull(bots.position), isDueAfter(HELD_INTERVAL, WATCHED_HELD_INTERVAL)),
    and(eq(bots.status, 'ERROR'), isNotNull(bots.position), isNotSeenFor(HELD_INTERVAL)),
    isUnsettledDue,
  );
  const unexplained = and(inArray(bots.id, withUnexplained(db, now)), isNotSeenFor(RUNNING_INTERVAL));
  const idsWhere = (condition: SQL | undefined) => db.select({ id: bots.id }).from(bots).where(condition);
  const due = idsWhere(and(isAtWork, isDue)).union(idsWhere(unexplained)).union(withPendingOrder);
  const rows = await db
    .select({ id: bots.id })
    .from(bots)
    .where(
      and(inArray(bots.id, due), or(isNull(bots.retryAt), lte(bots.retryAt, new Date(now)), gt(bots.retryAt, ago(-CLOCK_ROLLBACK_LIMIT)))),
    )
    .orderBy(
      sql`case when ${bots.status} = 'STOPPING' or ${bots.closing} is not null then 0 when ${bots.position} is not null then 1 else 2 end`,
      sql`greatest(${bots.retryAt}, ${bots.lastExchangeAt}) nulls first`,
      asc(bots.id),
    )
    .limit(MAX_BOTS);
  return rows.map(({ id }) => id);
}

/** Returns whether any bot runs, changes or holds a position. */
export const hasActiveBots = async (db: Db): Promise<boolean> =>
  (await db.select({ id: bots.id }).from(bots).where(isAtWork).limit(1)).length > 0;
