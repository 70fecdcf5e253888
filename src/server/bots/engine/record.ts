import { eq, isNull } from 'drizzle-orm';
import { type Clock, MINUTE } from '../../../domain/clock';
import type { Db, Tx } from '../../db/open';
import { botEquity, bots, botTrades } from '../../db/schema';
import type { Notify } from '../../modules/notifications/service';
import type { CandleFeed } from '../../ports/exchange/exchange';
import { clockTime } from '../feed-time';
import { noticeOf } from '../money';
import { addEvent, type BotRow, type NewEvent } from '../store';
import { hold } from './lease';
import { type LedgerTrade, pnlOf } from './ledger';

interface Parts {
  clock: Clock;
  feed: CandleFeed;
}

/** Writes a trade down as it is now; nothing changes where it is known so. */
async function putTrade(tx: Tx, botId: string, trade: LedgerTrade, { clock, feed }: Parts): Promise<void> {
  const { entryId, side, quantity, entryPrice, exitPrice, fees, funding, reason } = trade;
  const at = (time: number) => new Date(clockTime(feed, clock, time));
  const closedAt = trade.closedAt === null ? null : at(trade.closedAt);
  const facts = { quantity, entryPrice, exitPrice, pnl: pnlOf(trade), fees, funding, reason, closedAt };
  await tx
    .insert(botTrades)
    .values({ botId, entryId, side, ...facts, openedAt: at(trade.openedAt) })
    .onConflictDoUpdate({ target: botTrades.entryId, set: facts, setWhere: isNull(botTrades.closedAt) });
}

/** Equity over time, a point a minute at most. */
async function putEquity(tx: Tx, botId: string, equity: number, now: number): Promise<void> {
  const at = new Date(now - (now % MINUTE));
  await tx
    .insert(botEquity)
    .values({ botId, at, equity })
    .onConflictDoUpdate({ target: [botEquity.botId, botEquity.at], set: { equity } });
}

export interface News extends NewEvent {
  /** The user is notified too, with the same words behind the bot's money and name. */
  tell?: boolean;
}

/** What a visit found and did, to be written down at once. */
export interface Findings {
  trades: readonly LedgerTrade[];
  news: readonly News[];
  set: Partial<BotRow>;
}

interface RecordParts extends Parts {
  db: Db;
  notify: Notify;
}

/**
 * Writes down what a visit came to, in one transaction, if the bot is still ours, and lets go of it. What its user
 * changed meanwhile is not overwritten: a status or pause counts only over the one that the visit began with.
 */
export async function record({ db, notify, ...parts }: RecordParts, before: BotRow, { trades, news, set }: Findings): Promise<BotRow> {
  const now = parts.clock();
  const shows: (() => void)[] = [];
  const row = await db.transaction(async (tx) => {
    const current = await hold(tx, before, now);
    for (const trade of trades) await putTrade(tx, before.id, trade, parts);
    for (const [index, { tell, ...event }] of news.entries()) {
      // A millisecond apart, so that they are read in the order in which they were told.
      const added = await addEvent(tx, before.id, event, now + index);
      const link = `/trading-bot/bots/${before.id}`;
      if (added && tell) shows.push(await notify(tx, before.userId, { kind: 'bot', text: noticeOf(current, event.text), link }));
    }
    if (set.equity !== undefined && set.equity !== before.equity) await putEquity(tx, before.id, set.equity, now);
    const changes: Partial<BotRow> = { ...set, leaseOwner: null, leaseUntil: null };
    if (current.status !== before.status || current.stopMode !== before.stopMode) {
      delete changes.status;
      delete changes.statusReason;
      delete changes.stopMode;
    }
    if (current.pausedBy !== before.pausedBy) {
      delete changes.pausedBy;
      delete changes.pausedReason;
    }
    const [written] = await tx.update(bots).set(changes).where(eq(bots.id, before.id)).returning();
    return written ?? current;
  });
  for (const show of shows) show();
  return row;
}
