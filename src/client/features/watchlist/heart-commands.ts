import type { UserDb } from '#client/platform/db/user-db.ts';
import type { Command } from '#client/platform/outbox/command.ts';
import type { WatchBody } from '#contract/market/watchlist.ts';

/** The lane of hearts; a command's body is the request as it will be sent. */
export const HEARTS = 'watchlist';

export type HeartCommand = Command<WatchBody>;

/** Hearts that the server has yet to hear of or has refused, in the order they were given. */
export const heartCommands = (db: UserDb): Promise<HeartCommand[]> =>
  db.outbox.where('lane').equals(HEARTS).sortBy('seq') as Promise<HeartCommand[]>;
