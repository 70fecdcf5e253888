import type { Clock } from '#domain/clock.ts';
import { createBatcher } from '#server/batcher.ts';
import type { Db } from '#server/db/open.ts';
import type { Notify } from '#server/modules/notifications/service.ts';
import type { CandleFeed } from '#server/ports/exchange/exchange.ts';
import { claim, type Left, release } from './bot-lease.ts';
import { earned, haltReasons } from './bots.ts';
import {
  conclude,
  countFailedCloses,
  findLastEntries,
  findOfCandle,
  findOrders,
  findUnsettled,
  type Intended,
  intend,
  type OrdersAsked,
  type Outcome,
} from './orders.ts';
import { type Findings, record } from './record.ts';

interface Parts {
  db: Db;
  clock: Clock;
  feed: CandleFeed;
  notify: Notify;
  /** Names this worker. */
  owner: string;
}

export type Desk = ReturnType<typeof createDesk>;

/**
 * What visits ask of the database. Each goes its own way, one bot at a time; those that are on their way at the same
 * moment share statements and commits here, so that a thousand bots cost the disk little more than one. Every answer is
 * committed before it is given. Writes reject with `LostLease` for a bot that another worker has taken.
 */
export function createDesk(parts: Parts) {
  const { db, clock, owner } = parts;
  return {
    claim: createBatcher((botIds: readonly string[]) => claim(db, botIds, owner, clock())),
    release: createBatcher((left: readonly Left[]) => release(db, left, clock())),
    intend: createBatcher((intended: readonly Intended[]) => intend(db, intended, clock())),
    conclude: createBatcher((outcomes: readonly Outcome[]) => conclude(db, outcomes, clock())),
    record: createBatcher((findings: readonly Findings[]) => record(parts, findings)),

    unsettled: createBatcher((botIds: readonly string[]) => findUnsettled(db, botIds)),
    orders: createBatcher((asked: readonly OrdersAsked[]) => findOrders(db, asked)),
    lastEntry: createBatcher((botIds: readonly string[]) => findLastEntries(db, botIds)),
    ofCandle: createBatcher((asked: readonly { botId: string; candle: number }[]) => findOfCandle(db, asked)),
    failedCloses: createBatcher((botIds: readonly string[]) => countFailedCloses(db, botIds)),
    earned: createBatcher((asked: readonly { botId: string; but: readonly string[] }[]) => earned(db, asked)),
    haltReason: createBatcher((userIds: readonly string[]) => haltReasons(db, userIds)),
  };
}
