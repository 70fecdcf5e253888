import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import type { ChannelName } from '#contract/notifications/channels.ts';
import { DAY, HOUR, MINUTE } from '#domain/clock.ts';
import type { Db } from '#server/db/open.ts';
import { deliveries, destinations } from '#server/db/schema/deliveries.ts';
import { notifications } from '#server/db/schema/notifications.ts';
import { later } from './enqueue.ts';

/** How long a claim lasts, ms: longer than all attempts of a claim take. */
const LEASE = 2 * MINUTE;
/** Due rows that one claim considers. */
const MAX_CONSIDERED = 500;
/** Messages of one user that a process sends by a channel at the same time, so that a slow receiver delays few. */
export const AT_ONCE_PER_USER = 2;
/** Age at which a delivery is given up, ms: the longest quiet hours, and a day. */
const MAX_AGE = 2 * DAY;
/** Rows due later than this were stored while the clock was ahead, ms. */
const MAX_WAIT = DAY + HOUR;

export type DeliveryRow = typeof deliveries.$inferSelect;

interface Claim {
  channel: ChannelName;
  claim: string;
  limit: number;
  /** Users with as many running messages as they may have. */
  busy: readonly string[];
  now: SQL;
}

const isWaiting = sql`${deliveries.state} = 'waiting'`;
const isTooLate = (now: SQL) => sql`${deliveries.dueAt} > ${later(now, MAX_WAIT)}`;
const isDue = (now: SQL) => sql`(${deliveries.dueAt} <= ${now} or ${isTooLate(now)})`;

const claimed = (claim: string, now: SQL) => ({
  claim,
  dueAt: later(now, LEASE),
  attempts: sql`${deliveries.attempts} + 1`,
});

/** Claims due deliveries of a channel, a few of each user, and of those that waited for the end of quiet hours the first one. A row that another process claims at this moment is left to it. */
export async function claimDue(db: Db, { channel, claim, limit, busy, now }: Claim): Promise<DeliveryRow[]> {
  // Two ranges of the index, because one with both conditions would read what waits for the end of quiet hours.
  const among = (isDueNow: SQL) => sql`(
        select ${deliveries.id}, ${deliveries.dueAt}, ${deliveries.userId}, ${deliveries.destinationId}, ${deliveries.held} from ${deliveries}
        where ${deliveries.channel} = ${channel} and ${isWaiting} and ${isDueNow} and not ${deliveries.userId} = any(${sql.param(busy)}::uuid[])
        order by ${deliveries.dueAt} limit ${MAX_CONSIDERED})`;
  const picked = sql`
    with considered as (
      ${among(sql`${deliveries.dueAt} <= ${now}`)} union all ${among(isTooLate(now))} limit ${MAX_CONSIDERED}
    ), placed as (
      select id, due_at, row_number() over (partition by user_id order by due_at) as place,
        held and row_number() over (partition by user_id, destination_id, held order by due_at) > 1 as is_beside
      from considered
    )
    select ${deliveries.id} from ${deliveries} join placed on placed.id = ${deliveries.id}
    where placed.place <= ${AT_ONCE_PER_USER} and not placed.is_beside and ${isWaiting} and ${isDue(now)}
    order by placed.due_at limit ${limit} for update of ${deliveries} skip locked`;
  return db.update(deliveries).set(claimed(claim, now)).where(sql`${deliveries.id} = any(array(${picked}))`).returning();
}

/** Also claims the due deliveries that waited for the same end of quiet hours, to send them as one message. */
export async function claimHeldBeside(db: Db, row: DeliveryRow, claim: string, now: SQL): Promise<DeliveryRow[]> {
  const { userId, channel, destinationId } = row;
  const beside = db
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(
      and(
        sql`${deliveries.userId} = ${userId} and ${deliveries.channel} = ${channel} and ${deliveries.held}`,
        sql`${deliveries.destinationId} is not distinct from ${destinationId}`,
        sql`${isWaiting} and ${isDue(now)}`,
      ),
    )
    .limit(MAX_CONSIDERED)
    .for('update', { skipLocked: true });
  return db.update(deliveries).set(claimed(claim, now)).where(sql`${deliveries.id} = any(array(${beside}))`).returning();
}

/** Reads what to send for claimed deliveries, oldest notification first, and whether something has shown the notification. */
export const findContents = (db: Db, ids: readonly string[]) =>
  db
    .select({
      id: deliveries.id,
      notification: notifications,
      destination: destinations,
      isSeen: sql<boolean>`${notifications.readAt} is not null or exists (
        select 1 from ${deliveries} as other where other.notification_id = ${notifications.id} and (other.shown_at is not null or other.opened_at is not null))`,
    })
    .from(deliveries)
    .innerJoin(notifications, eq(notifications.id, deliveries.notificationId))
    .leftJoin(destinations, eq(destinations.id, deliveries.destinationId))
    .where(inArray(deliveries.id, [...ids]))
    .orderBy(notifications.createdAt, notifications.id);

/** What to record of a claimed delivery. */
export interface Ended {
  ids: readonly string[];
  claim: string;
  state: DeliveryRow['state'];
  /** Until the next attempt, ms. */
  wait: number;
  failure: string | null;
}

/** Records the ends of attempts, each only while its claim holds. */
export async function recordEnds(db: Db, ends: readonly Ended[], now: SQL): Promise<void> {
  const rows = ends.flatMap(({ ids, ...end }) => ids.map((id) => ({ id, ...end })));
  // Their ids apart let the database use its index: it cannot tell how many rows the JSON has.
  const ids = sql.param(rows.map(({ id }) => id));
  await db.execute(sql`
    update ${deliveries} set failure = ended.failure, claim = null,
      state = case when ended.state = 'waiting' and created_at < ${later(now, -MAX_AGE)} then 'failed' else ended.state end,
      due_at = ${now} + ended.wait * interval '1 millisecond',
      sent_at = case when ended.state = 'sent' then ${now} else sent_at end
    from json_to_recordset(${JSON.stringify(rows)}::json) as ended(id uuid, claim uuid, state text, wait float8, failure text)
    where ${deliveries}.id = any(${ids}::uuid[]) and ${deliveries}.id = ended.id and ${deliveries}.claim = ended.claim`);
}
