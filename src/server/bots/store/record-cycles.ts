import { type Clock, MINUTE } from '#domain/clock.ts';
import { changeRows } from '#server/db/change-rows.ts';
import type { Db, Tx } from '#server/db/open.ts';
import { bots } from '#server/db/schema/bots.ts';
import type { NotifyAll } from '#server/modules/notifications/service.ts';
import { clockTime } from '#server/ports/exchange/clock-time.ts';
import type { CandleFeed } from '#server/ports/exchange/exchange.ts';
import { noticeOf } from '../messages/money.ts';
import { LostLease, lockLeased } from './bot-lease.ts';
import type { BotRow } from './bots.ts';
import { addEvents, type NewEvent } from './events.ts';
import { type RecordedTrade, saveEquity, saveTrades } from './trades.ts';

interface Parts {
  db: Db;
  clock: Clock;
  feed: CandleFeed;
  notifyAll: NotifyAll;
}

export interface CycleEvent extends NewEvent {
  /** Also notify the user, with the same text. */
  notify?: boolean | 'urgent';
}

/** What one cycle of a bot found and did. */
export interface CycleResult {
  /** The bot's row when the cycle began. */
  before: BotRow;
  /** Times in ms of the feed's time. */
  trades: readonly RecordedTrade[];
  events: readonly CycleEvent[];
  changes: Partial<BotRow>;
}

interface OwnedResult extends CycleResult {
  /** The bot's row in this transaction. */
  current: BotRow;
}

/** Saves one point a minute at most, and only if the equity changed. */
function saveEquities(tx: Tx, results: readonly CycleResult[], now: number): Promise<void> {
  const at = new Date(now - (now % MINUTE));
  const points = results.flatMap(({ before: { id: botId, equity: known }, changes: { equity } }) =>
    equity === undefined || equity === known ? [] : { botId, at, equity },
  );
  return saveEquity(tx, points);
}

/** Appends to the journals and stores notifications. Returns a function that shows them, to be called after the commit. */
async function recordEvents(tx: Tx, results: readonly OwnedResult[], now: number, notifyAll: NotifyAll): Promise<() => void> {
  const entries = results.flatMap(({ current: bot, events }) =>
    // Dates one millisecond apart keep the order in which the cycle reported.
    events.map(({ notify: isNotice, ...event }, index) => ({ bot, isNotice, botId: bot.id, event, at: now + index })),
  );
  const added = await addEvents(tx, entries);
  const notices = entries.flatMap(({ bot, isNotice, event }, index) => {
    if (!added[index] || !isNotice) return [];
    const what = { kind: 'bot' as const, text: noticeOf(bot, event.text), link: `/trading-bot/bots/${bot.id}` };
    return { userId: bot.userId, ...what, urgent: isNotice === 'urgent' };
  });
  return notifyAll(tx, notices);
}

/** Whether the user replaced the bot's API key during the cycle. */
const hasNewKey = ({ current, before }: Pick<OwnedResult, 'current' | 'before'>): boolean => !current.sealedKeys.equals(before.sealedKeys);

/** Returns the bot's new row. What its user changed during the cycle wins over the cycle's own changes. */
function mergeChanges({ current, before, changes }: OwnedResult): BotRow {
  const { status, statusReason, stopMode, pausedBy, pausedReason, keyCheckedAt, keyExpiresAt, keyWarnedDays } = current;
  const { failures, retryAt, refusedSince, equity, guards, closing, handledCandle } = current;
  const hasNewStatus = status !== before.status || stopMode !== before.stopMode;
  const hasNewClosing = closing?.at !== before.closing?.at;
  const hasNewPause = pausedBy !== before.pausedBy;
  const hasNewSize = current.positionSize !== before.positionSize || current.leverage !== before.leverage;
  const merged = {
    ...current,
    ...changes,
    ...(hasNewSize && { equity, guards }),
    ...(hasNewStatus && { status, statusReason, stopMode }),
    ...(hasNewPause && { pausedBy, pausedReason }),
    ...(hasNewClosing && { closing }),
    ...(handledCandle !== before.handledCandle && { handledCandle }),
    ...(hasNewKey({ current, before }) && { keyCheckedAt, keyExpiresAt, keyWarnedDays }),
    ...((hasNewStatus || hasNewClosing || hasNewKey({ current, before })) && { failures, retryAt, refusedSince }),
    leaseOwner: null,
    leaseUntil: null,
  };
  return merged.position === null ? { ...merged, closing: null } : merged;
}

/** Drops an error that the replaced API key may have caused. */
function withoutStaleError(result: OwnedResult): OwnedResult {
  const { status, refusedSince } = result.changes;
  const isStale = (status === 'ERROR' || refusedSince != null) && hasNewKey(result);
  return isStale ? { ...result, events: [], changes: {} } : result;
}

/**
 * Records cycles in one transaction and releases their bots.
 * Returns `LostLease`, and records nothing, for a bot that another worker has taken.
 */
export async function recordCycles(parts: Parts, results: readonly CycleResult[]): Promise<(undefined | LostLease)[]> {
  const { db, clock, feed, notifyAll } = parts;
  const now = clock();
  const clockAt = (time: number) => clockTime(feed, clock, time);
  const { rows, show } = await db.transaction(async (tx) => {
    const rows = await lockLeased(
      tx,
      results.map(({ before }) => before),
    );
    const owned = results.flatMap((result, index): OwnedResult | [] => {
      const current = rows[index];
      return current ? withoutStaleError({ ...result, current }) : [];
    });
    const trades = owned.flatMap(({ before, trades }) =>
      trades.map(({ openedAt, closedAt, ...trade }) => {
        const times = { openedAt: clockAt(openedAt), closedAt: closedAt === null ? null : clockAt(closedAt) };
        return { ...trade, ...times, feedOpened: openedAt, feedClosed: closedAt, userId: before.userId, botId: before.id };
      }),
    );
    await saveTrades(tx, trades);
    await saveEquities(tx, owned, now);
    await changeRows(tx, bots, {
      key: ['id'],
      set: [
        ...(['status', 'statusReason', 'stopMode', 'closing', 'pausedBy', 'pausedReason', 'leaseOwner', 'leaseUntil'] as const),
        ...(['keyCheckedAt', 'keyExpiresAt', 'keyWarnedDays', 'takerFee', 'guards', 'equity', 'position'] as const),
        ...(['handledCandle', 'fillsSeenTo', 'lastExchangeAt', 'failures', 'retryAt', 'refusedSince', 'remindedAt'] as const),
      ],
      rows: owned.map(mergeChanges),
    });
    return { rows, show: await recordEvents(tx, owned, now, notifyAll) };
  });
  show();
  return rows.map((row) => (row ? undefined : new LostLease()));
}
