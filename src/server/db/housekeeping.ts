import { and, eq, gt, gte, lt, notExists, sql } from 'drizzle-orm';
import { DAY } from '#domain/clock.ts';
import type { Db, Tx } from './open.ts';
import { botEquity, botSignals } from './schema/bots.ts';
import { chatImages, chats } from './schema/chat.ts';
import { codeGuards, codes, mailedLinks } from './schema/codes.ts';
import { coinDays } from './schema/market.ts';
import { notifications } from './schema/notifications.ts';
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

const NOTIFICATIONS_KEPT = 365 * DAY;

/** Bots act on a signal at once or never. */
const SIGNALS_KEPT = 7 * DAY;
const EQUITY_KEPT = 365 * DAY;
/** Equity keeps every minute up to this age, ms. Cleanup thins older points up to EQUITY_THIN, which covers several days of runs. */
const EQUITY_FINE = 2 * DAY;
const EQUITY_THIN = 5 * DAY;

/** Lifetime of a sign-up without a verified address, ms. */
const REGISTRATIONS_KEPT = 7 * DAY;

/** Deletes expired rows. `now` in ms. */
export async function tidy(db: Db, now: number): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.delete(idempotency).where(lt(idempotency.createdAt, new Date(now - ANSWERS_KEPT)));
    await tx.delete(notifications).where(lt(notifications.createdAt, new Date(now - NOTIFICATIONS_KEPT)));
    await tx.delete(botSignals).where(lt(botSignals.createdAt, new Date(now - SIGNALS_KEPT)));
    await tx.delete(botEquity).where(lt(botEquity.at, new Date(now - EQUITY_KEPT)));
    await thinEquity(tx, new Date(now - EQUITY_THIN), new Date(now - EQUITY_FINE));
    await tx.delete(storeEvents).where(lt(storeEvents.createdAt, new Date(now - STORE_EVENTS_KEPT)));
    await tx.delete(budgets).where(lt(budgets.endsAt, new Date(now)));
    await tx.delete(codes).where(lt(codes.expiresAt, new Date(now - DAY)));
    await tx.delete(codeGuards).where(lt(codeGuards.day, new Date(now).toISOString().slice(0, 10)));
    await tx.delete(mailedLinks).where(lt(mailedLinks.expiresAt, new Date(now)));
    await tx.delete(registrations).where(lt(registrations.createdAt, new Date(now - REGISTRATIONS_KEPT)));
    const oldest = new Date(now - COIN_DAYS_KEPT * DAY).toISOString().slice(0, 10);
    await tx.delete(coinDays).where(lt(coinDays.day, oldest));
    const questions = tx
      .select({ id: chats.id })
      .from(chats)
      .where(and(eq(chats.userId, chatImages.userId), eq(chats.imageId, sql`${chatImages.id}::text`)));
    await tx.delete(chatImages).where(and(lt(chatImages.createdAt, new Date(now - UNUSED_IMAGES_KEPT)), notExists(questions)));
    // Delete a session with its last token: without tokens it would treat an expired token as a stolen one.
    await tx.delete(refreshTokens).where(lt(refreshTokens.expiresAt, new Date(now)));
    const tokens = tx.select({ id: refreshTokens.sessionId }).from(refreshTokens).where(eq(refreshTokens.sessionId, sessions.id));
    await tx.delete(sessions).where(and(lt(sessions.createdAt, new Date(now - DAY)), notExists(tokens)));
  });
}

/**
 * Reclaims deleted rows' space and updates the planner's statistics. The embedded database has no autovacuum, and
 * runs no other query meanwhile.
 */
export const vacuum = async (db: Db): Promise<void> => void (await db.execute(sql`vacuum (analyze)`));

/** Keeps three points of each hour of a bot's equity: the last, the highest and the lowest, because drawdowns need the extremes. */
async function thinEquity(tx: Tx, from: Date, to: Date): Promise<void> {
  const { botId, at, equity } = botEquity;
  const hour = sql`partition by ${botId}, date_trunc('hour', ${at}, 'UTC')`;
  const ranked = tx
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
  const idle = tx
    .select({ botId: ranked.botId, at: ranked.at })
    .from(ranked)
    .where(and(gt(ranked.late, 1), gt(ranked.high, 1), gt(ranked.low, 1)));
  await tx.delete(botEquity).where(sql`(${botId}, ${at}) in ${idle}`);
}
