import type { UserDb } from '#client/platform/db/user-db.ts';
import type { Command } from '#client/platform/outbox/command.ts';
import type { WatchBody } from '#contract/market/watchlist.ts';

/** The outbox lane of watchlist changes. A command's body is the request to send. */
export const HEARTS = 'watchlist';

export type HeartCommand = Command<WatchBody>;

/** Returns the waiting and refused watchlist changes, oldest first. */
export const heartCommands = (db: UserDb): Promise<HeartCommand[]> =>
  db.outbox.where('lane').equals(HEARTS).sortBy('seq') as Promise<HeartCommand[]>;
