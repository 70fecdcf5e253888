import { randomBytes } from 'node:crypto';
import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import { DAY, MINUTE } from '#domain/clock.ts';
import { type QuietHours, quietEnd } from '#domain/notifications/quiet-hours.ts';
import { isWanted } from '#domain/notifications/wanted.ts';
import type { Tx } from '#server/db/open.ts';
import { deliveries, destinations, notificationSettings } from '#server/db/schema/deliveries.ts';
import { users } from '#server/db/schema/users.ts';
import { type CountClock, timeOf } from '#server/db/windows.ts';
import { groupBy } from '#server/group-by.ts';
import type { NotificationRow } from '../store.ts';

/** Time after which an urgent notification is mailed if nothing has shown it, ms. */
const SHOWN_WITHIN = 2 * MINUTE;
/** Longest time that quiet hours hold a notification, ms. */
const MAX_HELD = DAY;

/** Deliveries that one statement stores: on the embedded database, it keeps the process for a millisecond for each. */
const PORTION = 100;

type NewDelivery = typeof deliveries.$inferInsert;
type Planned = Pick<NewDelivery, 'channel' | 'destinationId' | 'ifUnseen' | 'held'> & { wait: number };

/** Adds a time span in ms to a time of the database. */
export const later = (time: SQL, ms: number): SQL<Date> => sql<Date>`${time} + ${ms}::float8 * interval '1 millisecond'`;

/** Stores one delivery for each channel by which users want their notifications. Returns the number of deliveries. */
export async function enqueue(tx: Tx, clock: CountClock, rows: readonly NotificationRow[], urgent: ReadonlySet<string>): Promise<number> {
  const found = await tx
    .select({
      userId: users.id,
      settings: notificationSettings,
      destination: { id: destinations.id, channel: destinations.channel },
      now: sql<number>`(extract(epoch from ${timeOf(clock)}) * 1000)::float8`,
    })
    .from(users)
    .leftJoin(notificationSettings, eq(notificationSettings.userId, users.id))
    .leftJoin(destinations, and(eq(destinations.userId, users.id), isNull(destinations.endedAt)))
    .where(sql`${users.id} = any(${sql.param([...new Set(rows.map(({ userId }) => userId))])}::uuid[])`);
  const situationsOf = groupBy(found, ({ userId }) => userId);
  const planned = rows.flatMap(({ id, userId, kind }) => {
    const situations = situationsOf.get(userId) ?? [];
    const [first] = situations;
    if (!first) return [];
    const reached = situations.flatMap(({ destination }) => destination ?? []);
    const situation = { kind, urgent: urgent.has(id), settings: first.settings, destinations: reached, now: first.now };
    return plan(situation).map((one) => ({ ...one, userId, notificationId: id, urgent: situation.urgent }));
  });
  for (let from = 0; from < planned.length; from += PORTION) await insertDeliveries(tx, clock, planned.slice(from, from + PORTION));
  return planned.length;
}

type New = Planned & Pick<NewDelivery, 'userId' | 'notificationId' | 'urgent'>;

/** Stores several rows with one parameter. */
async function insertDeliveries(tx: Tx, clock: CountClock, planned: readonly New[]): Promise<void> {
  const rows = planned.map((one) => ({ ...one, receipt: randomBytes(18).toString('base64url') }));
  const wait = sql`planned.wait * interval '1 millisecond'`;
  await tx.execute(sql`
    insert into ${deliveries} (user_id, notification_id, channel, destination_id, urgent, if_unseen, held, due_at, receipt, created_at)
    select planned."userId", planned."notificationId", channel, "destinationId", urgent, "ifUnseen", held, ${timeOf(clock)} + ${wait}, receipt, ${timeOf(clock)}
    from json_to_recordset(${JSON.stringify(rows)}::json) as planned("userId" uuid, "notificationId" uuid, channel text, "destinationId" uuid,
      urgent boolean, "ifUnseen" boolean, held boolean, wait float8, receipt text)`);
}

interface Situation {
  kind: NotificationRow['kind'];
  urgent: boolean;
  settings: typeof notificationSettings.$inferSelect | null;
  destinations: readonly Pick<typeof destinations.$inferSelect, 'id' | 'channel'>[];
  /** ms. */
  now: number;
}

/** Returns the deliveries of a notification, each with its wait in ms. */
function plan({ kind, urgent, settings, destinations: reached, now }: Situation): Planned[] {
  const choices = settings?.choices ?? {};
  const hours = quietHoursOf(settings);
  const end = urgent || !hours ? null : quietEnd(hours, now);
  const held = end !== null;
  const wait = held ? Math.min(end - now, MAX_HELD) : 0;
  const planned: Planned[] = reached
    .filter(({ channel }) => isWanted(choices, kind, channel))
    .map(({ id, channel }) => ({ channel, destinationId: id, ifUnseen: false, held, wait }));
  if (isWanted(choices, kind, 'email')) planned.push({ channel: 'email', destinationId: null, ifUnseen: false, held, wait });
  else if (urgent) planned.push({ channel: 'email', destinationId: null, ifUnseen: true, held: false, wait: SHOWN_WITHIN });
  return planned;
}

function quietHoursOf(settings: Situation['settings']): QuietHours | null {
  if (!settings || settings.quietFrom === null || settings.quietTo === null) return null;
  return { from: settings.quietFrom, to: settings.quietTo, timeZone: settings.timeZone };
}
