import type { UserTables } from '#client/platform/db/user-db.ts';
import type { Command } from '#client/platform/outbox/command.ts';
import type { MoveBody, WatchBody } from '#contract/market/watchlist.ts';

/** The outbox lane of watchlist changes. One lane, because a move can follow the change that adds its coin. */
export const HEARTS = 'watchlist';

/** A coin that moves, named as the user saw it. */
export type MoveChange = MoveBody & Pick<WatchBody, 'userId' | 'cryptoName'>;
export type WatchChange = WatchBody | MoveChange;
export type HeartCommand = Command<WatchChange>;

export const isMove = (change: WatchChange): change is MoveChange => 'beforeId' in change;

/** Returns the waiting and refused watchlist changes, oldest first. */
export const heartCommands = (db: UserTables): Promise<HeartCommand[]> =>
  db.outbox.where('lane').equals(HEARTS).sortBy('seq') as Promise<HeartCommand[]>;
