import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import type { ChannelName } from '#contract/notifications/channels.ts';
import { NOTIFICATION_SETTINGS_PAGE } from '#contract/notifications/pages.ts';
import type { Db } from '#server/db/open.ts';
import { destinations } from '#server/db/schema/deliveries.ts';
import { type CountClock, timeOf } from '#server/db/windows.ts';
import type { Outcome } from '#server/ports/channels/channel.ts';
import type { Notify } from '../service.ts';

/** Refusals in a row after which a destination ends. */
const MAX_REFUSALS = 5;

interface Parts {
  db: Db;
  clock: CountClock;
  notify: Notify;
}

type DestinationRow = typeof destinations.$inferSelect;

const ENDED_TEXTS: Record<ChannelName, string> = {
  email: '',
  push: '',
  telegram: 'Telegram no longer takes our messages for you, so notifications do not go there any more. You can connect it again.',
  webhook: 'Your webhook refused our messages several times, so notifications do not go there any more. You can set it again.',
};

/** Records how a destination takes its messages, and ends one that takes none, with a notification. */
export async function recordHealth({ db, clock, notify }: Parts, destination: DestinationRow, outcome: Outcome): Promise<void> {
  const { id, userId, channel } = destination;
  const isThis = and(eq(destinations.id, id), isNull(destinations.endedAt));
  if (outcome.outcome === 'sent') {
    if (destination.failures > 0)
      await db
        .update(destinations)
        .set({ failures: 0 })
        .where(and(isThis, gt(destinations.failures, 0)));
    return;
  }
  const isGone = outcome.outcome === 'gone';
  if (!isGone && !(outcome.outcome === 'refused' && outcome.counts)) return;
  const show = await db.transaction(async (tx) => {
    const failures = sql`${destinations.failures} + 1`;
    const isOver = isGone ? sql`true` : sql`${failures} >= ${MAX_REFUSALS}`;
    const [row] = await tx
      .update(destinations)
      .set({ failures, endedAt: sql`case when ${isOver} then ${timeOf(clock)} end` })
      .where(isThis)
      .returning({ endedAt: destinations.endedAt });
    const text = ENDED_TEXTS[channel];
    if (!row?.endedAt || text === '') return undefined;
    return notify(tx, userId, { kind: 'security', text, link: NOTIFICATION_SETTINGS_PAGE });
  });
  show?.();
}
