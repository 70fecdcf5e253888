import { randomBytes } from 'node:crypto';
import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import { DAY, MINUTE } from '#domain/clock.ts';
import { type QuietHours, quietEnd } from '#domain/notifications/quiet-hours.ts';
import { isWanted } from '#domain/notifications/wanted.ts';
import type { Tx } from '#server/db/open.ts';
import { deliveries, destinations, notificationSettings } from '#server/db/schema/deliveries.ts';
import { users } from '#server/db/schema/users.ts';
import { type CountClock, timeOf } from '#server/db/windows.ts';
import type { NotificationRow } from '../store.ts';

/** Time after which an urgent notification is mailed if nothing has shown it, ms. */
const SHOWN_WITHIN = 2 * MINUTE;
/** Longest time that quiet hours hold a notification, ms. */
const MAX_HELD = DAY;

type NewDelivery = typeof deliveries.$inferInsert;
type Planned = Pick<NewDelivery, 'channel' | 'destinationId' | 'ifUnseen' | 'held'> & { wait: number };

/** Adds a time span in ms to a time of the database. */
export const later = (time: SQL, ms: number): SQL<Date> => sql<Date>`${time} + ${ms}::float8 * interval '1 millisecond'`;

/** Stores one delivery for each channel by which the user wants a notification. Returns their number. */
export async function enqueue(tx: Tx, clock: CountClock, notification: NotificationRow, urgent: boolean): Promise<number> {
  const { id: notificationId, userId, kind } = notification;
  const found = await tx
    .select({
      settings: notificationSettings,
      destination: { id: destinations.id, channel: destinations.channel },
      now: sql<number>`(extract(epoch from ${timeOf(clock)}) * 1000)::float8`,
    })
    .from(users)
    .leftJoin(notificationSettings, eq(notificationSettings.userId, users.id))
    .leftJoin(destinations, and(eq(destinations.userId, users.id), isNull(destinations.endedAt)))
    .where(eq(users.id, userId));
  const [first] = found;
  if (!first) return 0;
  const { settings, now } = first;
  const planned = plan({ kind, urgent, settings, destinations: found.flatMap(({ destination }) => destination ?? []), now });
  if (planned.length === 0) return 0;
  await tx.insert(deliveries).values(
    planned.map(({ wait, ...one }) => ({
      ...one,
      ...{ userId, notificationId, urgent },
      dueAt: later(timeOf(clock), wait),
      receipt: randomBytes(18).toString('base64url'),
      createdAt: timeOf(clock),
    })),
  );
  return planned.length;
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
