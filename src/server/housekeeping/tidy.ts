import { ne } from 'drizzle-orm';
import { DAY, dayOf, HOUR } from '#domain/clock.ts';
import type { Db } from '#server/db/open.ts';
import { alertFirings } from '#server/db/schema/alerts.ts';
import { botSignals } from '#server/db/schema/bots.ts';
import { charges, chatLinks } from '#server/db/schema/chat.ts';
import { codeGuards, codes, mailedLinks } from '#server/db/schema/codes.ts';
import { connectionCodes, deliveries } from '#server/db/schema/deliveries.ts';
import { coinDays, marketAnswers } from '#server/db/schema/market.ts';
import { notifications } from '#server/db/schema/notifications.ts';
import { clientFiles } from '#server/db/schema/operations.ts';
import { passkeyChallenges } from '#server/db/schema/passkeys.ts';
import { budgets, idempotency, limitCounts } from '#server/db/schema/requests.ts';
import { storeEvents } from '#server/db/schema/subscriptions.ts';
import { registrations } from '#server/db/schema/users.ts';
import { deleteExpiredSessions } from './delete-expired-sessions.ts';
import { deleteOld, type Work } from './delete-rows.ts';
import { deleteUnusedImages } from './delete-unused-images.ts';
import { thinEquity } from './thin-equity.ts';

/** Lifetime of stored answers, ms. A device that retries later is deduped by its own ids (docs/decisions.md, Data). */
const ANSWERS_KEPT = 7 * DAY;

/** Receipts are valid for minutes, and stores repeat an event for days at most; ms. */
const STORE_EVENTS_KEPT = 90 * DAY;

/** Days of a coin's recorded history: a one-year chart and a margin. */
const COIN_DAYS_KEPT = 400;

/** Answers of the market's provider that no process wanted lately. While the provider is down, they are the last known figures. */
const MARKET_ANSWERS_KEPT = 2 * DAY;

/** Files of builds that run no more, ms: open pages may load them. */
const CLIENT_FILES_KEPT = 14 * DAY;

/** Notifications, and the firings of price alerts; ms. */
const NOTIFICATIONS_KEPT = 365 * DAY;

/** How notifications went by the channels; ms. */
const DELIVERIES_KEPT = 30 * DAY;

/** Settled charges count in their own month only; ms. */
const CHARGES_KEPT = 90 * DAY;

/** Bots act on a signal at once or never. */
const SIGNALS_KEPT = 7 * DAY;

/** Time after their end, ms, so that a process whose clock is ahead deletes no budget in use. */
const BUDGETS_KEPT = HOUR;

/** Lifetime of a sign-up without a verified address, ms. */
const REGISTRATIONS_KEPT = 7 * DAY;

/** Deletes and thins what only ages, in small batches by index. `now` in ms. */
export async function tidy(db: Db, now: number, pause: Work['pause'] = async () => undefined): Promise<void> {
  const work = { db, now, pause };
  const before = (age: number) => new Date(now - age);
  await deleteOld(work, idempotency.createdAt, before(ANSWERS_KEPT));
  await deleteOld(work, notifications.createdAt, before(NOTIFICATIONS_KEPT));
  await deleteOld(work, deliveries.createdAt, before(DELIVERIES_KEPT));
  await deleteOld(work, connectionCodes.expiresAt, before(DAY));
  await deleteOld(work, alertFirings.createdAt, before(NOTIFICATIONS_KEPT));
  await deleteOld(work, charges.createdAt, before(CHARGES_KEPT), ne(charges.state, 'reserved'));
  await deleteOld(work, botSignals.createdAt, before(SIGNALS_KEPT));
  await deleteOld(work, storeEvents.createdAt, before(STORE_EVENTS_KEPT));
  await deleteOld(work, budgets.endsAt, before(BUDGETS_KEPT));
  await deleteOld(work, limitCounts.endsAt, before(BUDGETS_KEPT));
  await deleteOld(work, chatLinks.expiresAt, before(0));
  await deleteOld(work, codes.expiresAt, before(DAY));
  await deleteOld(work, codeGuards.day, dayOf(now));
  await deleteOld(work, mailedLinks.expiresAt, before(0));
  await deleteOld(work, passkeyChallenges.expiresAt, before(0));
  await deleteOld(work, registrations.createdAt, before(REGISTRATIONS_KEPT));
  await deleteOld(work, coinDays.day, dayOf(now - COIN_DAYS_KEPT * DAY));
  await deleteOld(work, marketAnswers.goodUntil, before(MARKET_ANSWERS_KEPT));
  await deleteOld(work, clientFiles.usedAt, before(CLIENT_FILES_KEPT));
  await deleteExpiredSessions(work);
  await deleteUnusedImages(work);
  await thinEquity(work);
}
