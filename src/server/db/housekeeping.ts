import { and, eq, gt, gte, lt, notExists, type SQL, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { DAY, dayOf, HOUR } from '#domain/clock.ts';
import type { Db } from './open.ts';
import { botEquity, botSignals } from './schema/bots.ts';
import { chatImages, chats } from './schema/chat.ts';
import { codeGuards, codes, mailedLinks } from './schema/codes.ts';
import { coinDays, marketAnswers } from './schema/market.ts';
import { notifications } from './schema/notifications.ts';
import { clientFiles } from './schema/operations.ts';
import { budgets, idempotency } from './schema/requests.ts';
import { refreshTokens, sessions } from './schema/sessions.ts';
import { storeEvents } from './schema/subscriptions.ts';
import { registrations } from './schema/users.ts';

/** Lifetime of stored answers, ms. A device that retries later is deduped by its own ids (docs/decisions.md, Data). */
const ANSWERS_KEPT = 7 * DAY;
/** Lifetime of an uploaded image without a question, ms. */
const UNUSED_IMAGES_KEPT = 7 * DAY;

/** Receipts are valid for minutes, and stores repeat an event for days at most; ms. */
const STORE_EVENTS_KEPT = 90 * DAY;

/** Days of a coin's recorded history: a one-year chart and a margin. */
const COIN_DAYS_KEPT = 400;

/** Answers of the market's provider that no process wanted lately. While the provider is down, they are the last known figures. */
const MARKET_ANSWERS_KEPT = 2 * DAY;

/** Files of builds that run no more, ms: open pages may load them. */
const CLIENT_FILES_KEPT = 14 * DAY;

const NOTIFICATIONS_KEPT = 365 * DAY;

/** Bots act on a signal at once or never. */
const SIGNALS_KEPT = 7 * DAY;
const EQUITY_KEPT = 365 * DAY;
/** Equity keeps every minute up to this age, ms. Cleanup thins older points up to EQUITY_THIN, which covers several days of runs. */
const EQUITY_FINE = 2 * DAY;
const EQUITY_THIN = 5 * DAY;

/** Time after their end, ms, so that a process whose clock is ahead deletes no budget in use. */
const BUDGETS_KEPT = HOUR;

/** Lifetime of a sign-up without a verified address, ms. */
const REGISTRATIONS_KEPT = 7 * DAY;

/** Rows that one statement deletes: it must end within the time limit of the database, whatever has piled up. */
const BATCH = 5_000;

/** Deletes expired rows. `now` in ms. */
export async function tidy(db: Db, now: number): Promise<void> {
  const before = (age: number) => new Date(now - age);
  await deleteRows(db, idempotency, lt(idempotency.createdAt, before(ANSWERS_KEPT)));
  await deleteRows(db, notifications, lt(notifications.createdAt, before(NOTIFICATIONS_KEPT)));
  await deleteRows(db, botSignals, lt(botSignals.createdAt, before(SIGNALS_KEPT)));
  await deleteRows(db, botEquity, lt(botEquity.at, before(EQUITY_KEPT)));
  await thinEquity(db, before(EQUITY_THIN), before(EQUITY_FINE));
  await deleteRows(db, storeEvents, lt(storeEvents.createdAt, before(STORE_EVENTS_KEPT)));
  await deleteRows(db, budgets, lt(budgets.endsAt, before(BUDGETS_KEPT)));
  await deleteRows(db, codes, lt(codes.expiresAt, before(DAY)));
  await deleteRows(db, codeGuards, lt(codeGuards.day, dayOf(now)));
  await deleteRows(db, mailedLinks, lt(mailedLinks.expiresAt, before(0)));
  await deleteRows(db, registrations, lt(registrations.createdAt, before(REGISTRATIONS_KEPT)));
  await deleteRows(db, coinDays, lt(coinDays.day, dayOf(now - COIN_DAYS_KEPT * DAY)));
  await deleteRows(db, marketAnswers, lt(marketAnswers.goodUntil, before(MARKET_ANSWERS_KEPT)));
  await deleteRows(db, clientFiles, lt(clientFiles.usedAt, before(CLIENT_FILES_KEPT)));
  const questions = db
    .select({ id: chats.id })
    .from(chats)
    .where(and(eq(chats.userId, chatImages.userId), eq(chats.imageId, sql`${chatImages.id}::text`)));
  await deleteRows(db, chatImages, and(lt(chatImages.createdAt, before(UNUSED_IMAGES_KEPT)), notExists(questions)));
  // Sessions go first, with their tokens: a session without tokens would treat an expired one as stolen.
  const valid = db
    .select({ id: refreshTokens.sessionId })
    .from(refreshTokens)
    .where(and(eq(refreshTokens.sessionId, sessions.id), gte(refreshTokens.expiresAt, before(0))));
  await deleteRows(db, sessions, and(lt(sessions.createdAt, before(DAY)), notExists(valid)));
  await deleteRows(db, refreshTokens, lt(refreshTokens.expiresAt, before(0)));
}

async function deleteRows(db: Db, table: PgTable, where: SQL | undefined): Promise<void> {
  const batch = db.select({ row: sql`ctid` }).from(table).where(where).limit(BATCH);
  const batched = db.delete(table).where(sql`ctid = any(array(${batch}))`).returning({ one: sql`1` });
  while ((await batched.execute()).length === BATCH);
}

/**
 * Reclaims deleted rows' space and updates the planner's statistics. The embedded database has no autovacuum, and
 * runs no other query meanwhile.
 */
export const vacuum = async (db: Db): Promise<void> => void (await db.execute(sql`vacuum (analyze)`));

/** Keeps three points of each hour of a bot's equity: the last, the highest and the lowest, because drawdowns need the extremes. */
async function thinEquity(db: Db, from: Date, to: Date): Promise<void> {
  const { botId, at, equity } = botEquity;
  const hour = sql`partition by ${botId}, date_trunc('hour', ${at}, 'UTC')`;
  const ranked = db
    .select({
      botId,
      at,
      late: sql`row_number() over (${hour} order by ${at} desc)`.as('late'),
      high: sql`row_number() over (${hour} order by ${equity} desc, ${at})`.as('high'),
      low: sql`row_number() over (${hour} order by ${equity}, ${at})`.as('low'),
    })
    .from(botEquity)
    .where(and(gte(at, from), lt(at, to)))
    .as('ranked');
  const idle = db
    .select({ botId: ranked.botId, at: ranked.at })
    .from(ranked)
    .where(and(gt(ranked.late, 1), gt(ranked.high, 1), gt(ranked.low, 1)));
  await db.delete(botEquity).where(sql`(${botId}, ${at}) in ${idle}`);
}
