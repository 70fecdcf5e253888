import type { Clock } from '#domain/clock.ts';
import { createBatcher } from '#server/batcher.ts';
import type { Db } from '#server/db/open.ts';
import type { NotifyAll } from '#server/modules/notifications/service.ts';
import type { CandleFeed } from '#server/ports/exchange/exchange.ts';
import { claimBots, type LeasedBot, releaseBots, renewHeldLeases } from './bot-lease.ts';
import { haltReasons } from './halts.ts';
import {
  type CandleQuery,
  countFailedCloses,
  findCandleOrders,
  findLastEntries,
  findLastOrderDates,
  findOrders,
  findPendingOrders,
  type NewIntent,
  type OrderQuery,
  type Outcome,
  recordIntents,
  recordOutcomes,
} from './orders.ts';
import { type CycleResult, recordCycles } from './record-cycles.ts';
import { findUnexplained, sumProfits } from './trades.ts';

interface Parts {
  db: Db;
  clock: Clock;
  feed: CandleFeed;
  notifyAll: NotifyAll;
  /** Names this worker. */
  owner: string;
}

export type BatchedStore = ReturnType<typeof createBatchedStore>;

/**
 * Creates the store of bot cycles. Concurrent cycles share statements and commits, so that a thousand bots cost the disk little more
 * than one. Each call commits before it resolves; writes reject with `LostLease` if another worker has taken the bot.
 */
export function createBatchedStore(parts: Parts) {
  const { db, clock, owner } = parts;
  return {
    claim: createBatcher((botIds: readonly string[]) => claimBots(db, botIds, owner, clock())),
    renew: createBatcher((leased: readonly LeasedBot[]) => renewHeldLeases(db, leased, clock())),
    release: createBatcher((released: readonly LeasedBot[]) => releaseBots(db, released)),
    recordIntent: createBatcher((intents: readonly NewIntent[]) => recordIntents(db, intents, clock())),
    recordOutcome: createBatcher((outcomes: readonly Outcome[]) => recordOutcomes(db, outcomes, clock())),
    recordCycle: createBatcher((results: readonly CycleResult[]) => recordCycles(parts, results)),

    pendingOrders: createBatcher((botIds: readonly string[]) => findPendingOrders(db, botIds)),
    orders: createBatcher((queries: readonly OrderQuery[]) => findOrders(db, queries)),
    lastEntry: createBatcher((botIds: readonly string[]) => findLastEntries(db, botIds)),
    lastOrderAt: createBatcher((botIds: readonly string[]) => findLastOrderDates(db, botIds)),
    candleOrder: createBatcher((queries: readonly CandleQuery[]) => findCandleOrders(db, queries)),
    failedCloses: createBatcher((botIds: readonly string[]) => countFailedCloses(db, botIds)),
    unexplained: createBatcher((botIds: readonly string[]) => findUnexplained(db, botIds, clock())),
    profit: createBatcher((queries: readonly { botId: string; except: readonly string[] }[]) => sumProfits(db, queries)),
    haltReason: createBatcher((userIds: readonly string[]) => haltReasons(db, userIds)),
  };
}
