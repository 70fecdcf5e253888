import { isNull, sql } from 'drizzle-orm';
import { type Clock, MINUTE } from '#domain/clock.ts';
import { changeRows } from '#server/db/change-rows.ts';
import type { Db, Tx } from '#server/db/open.ts';
import { botEquity, bots, botTrades } from '#server/db/schema/bots.ts';
import type { Notify } from '#server/modules/notifications/service.ts';
import { clockTime } from '#server/ports/exchange/clock-time.ts';
import type { CandleFeed } from '#server/ports/exchange/exchange.ts';
import { noticeOf } from '../messages/money.ts';
import { type LedgerTrade, pnlOf } from '../positions/ledger.ts';
import { hold, LostLease } from './bot-lease.ts';
import { addEvents, type BotRow, type NewEvent } from './bots.ts';

interface Parts {
  db: Db;
  clock: Clock;
  feed: CandleFeed;
  notify: Notify;
}

export interface News extends NewEvent {
  /** The user is notified too, with the same words behind the bot's money and name. */
  tell?: boolean;
}

/** What a visit found and did, to be written down at once. */
export interface Findings {
  /** The bot as the visit began with it. */
  before: BotRow;
  trades: readonly LedgerTrade[];
  news: readonly News[];
  set: Partial<BotRow>;
}

interface Ours extends Findings {
  /** The bot as it is now. */
  current: BotRow;
}

/** Writes trades down as they are now; nothing changes for one that is known to be over. */
async function putTrades(tx: Tx, findings: readonly Findings[], { clock, feed }: Parts): Promise<void> {
  const at = (time: number) => new Date(clockTime(feed, clock, time));
  const rows = findings.flatMap(({ before, trades }) =>
    trades.map((trade) => {
      const { entryId, side, quantity, entryPrice, exitPrice, fees, funding, reason, openedAt, closedAt } = trade;
      const times = { openedAt: at(openedAt), closedAt: closedAt === null ? null : at(closedAt) };
      return { botId: before.id, entryId, side, quantity, entryPrice, exitPrice, pnl: pnlOf(trade), fees, funding, reason, ...times };
    }),
  );
  if (rows.length === 0) return;
  const set = {
    quantity: sql`excluded.quantity`,
    entryPrice: sql`excluded.entry_price`,
    exitPrice: sql`excluded.exit_price`,
    pnl: sql`excluded.pnl`,
    fees: sql`excluded.fees`,
    funding: sql`excluded.funding`,
    reason: sql`excluded.reason`,
    closedAt: sql`excluded.closed_at`,
  };
  await tx
    .insert(botTrades)
    .values(rows)
    .onConflictDoUpdate({ target: botTrades.entryId, set, setWhere: isNull(botTrades.closedAt) });
}

/** Equity over time, a point a minute at most. */
async function putEquity(tx: Tx, findings: readonly Findings[], now: number): Promise<void> {
  const at = new Date(now - (now % MINUTE));
  const rows = findings.flatMap(({ before: { id: botId, equity: known }, set: { equity } }) =>
    equity === undefined || equity === known ? [] : { botId, at, equity },
  );
  if (rows.length === 0) return;
  await tx
    .insert(botEquity)
    .values(rows)
    .onConflictDoUpdate({ target: [botEquity.botId, botEquity.at], set: { equity: sql`excluded.equity` } });
}

/** Adds to the journals, and notifies users of what they shall be told. Returns what shows it once it is committed. */
async function putNews(tx: Tx, findings: readonly Ours[], now: number, notify: Notify): Promise<(() => void)[]> {
  const news = findings.flatMap(({ current: bot, news: told }) =>
    // A millisecond apart, so that they are read in the order in which they were told.
    told.map(({ tell, ...event }, index) => ({ bot, tell, botId: bot.id, event, at: now + index })),
  );
  const added = await addEvents(tx, news);
  const shows: (() => void)[] = [];
  for (const [index, { bot, tell, event }] of news.entries()) {
    if (!added[index] || !tell) continue;
    const link = `/trading-bot/bots/${bot.id}`;
    shows.push(await notify(tx, bot.userId, { kind: 'bot', text: noticeOf(bot, event.text), link }));
  }
  return shows;
}

/** Whether the user gave the bot another key while it was visited. */
const isRekeyed = ({ current, before }: Pick<Ours, 'current' | 'before'>): boolean => !current.sealedKeys.equals(before.sealedKeys);

/** What the row becomes. What its user changed meanwhile stays: a status or pause counts only over the one that the visit began with. */
function changed({ current, before, set }: Ours): BotRow {
  const { status, statusReason, stopMode, pausedBy, pausedReason, keyCheckedAt, keyExpiresAt, keyWarnedDays } = current;
  const told = status !== before.status || stopMode !== before.stopMode;
  const paused = pausedBy !== before.pausedBy;
  return {
    ...current,
    ...set,
    ...(told && { status, statusReason, stopMode }),
    ...(paused && { pausedBy, pausedReason }),
    ...(isRekeyed({ current, before }) && { keyCheckedAt, keyExpiresAt, keyWarnedDays }),
    leaseOwner: null,
    leaseUntil: null,
  };
}

/**
 * Writes down what visits came to, in one transaction, and lets go of the bots. `LostLease` for one that is no longer ours,
 * of which nothing is written.
 */
export async function record(parts: Parts, findings: readonly Findings[]): Promise<(undefined | LostLease)[]> {
  const { db, clock, notify } = parts;
  const now = clock();
  const { rows, shows } = await db.transaction(async (tx) => {
    const rows = await hold(
      tx,
      findings.map(({ before }) => before),
    );
    const ours = findings.flatMap((one, index): Ours | [] => {
      const current = rows[index];
      if (!current) return [];
      // What broke down may have done so for the key that is no longer its.
      const isPast = one.set.status === 'ERROR' && isRekeyed({ current, before: one.before });
      return { ...one, ...(isPast && { news: [], set: {} }), current };
    });
    await putTrades(tx, ours, parts);
    await putEquity(tx, ours, now);
    await changeRows(tx, bots, {
      key: ['id'],
      set: [
        ...(['status', 'statusReason', 'stopMode', 'pausedBy', 'pausedReason', 'leaseOwner', 'leaseUntil'] as const),
        ...(['keyCheckedAt', 'keyExpiresAt', 'keyWarnedDays', 'guards', 'equity', 'position'] as const),
        ...(['handledCandle', 'fillsSeenTo', 'lastExchangeAt'] as const),
      ],
      rows: ours.map(changed),
    });
    return { rows, shows: await putNews(tx, ours, now, notify) };
  });
  for (const show of shows) show();
  return rows.map((row) => (row ? undefined : new LostLease()));
}
