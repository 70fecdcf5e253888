import type { WatchBody } from '../../../contract/watchlist';
import type { UserDb } from '../../platform/db/user-db';
import type { Command } from '../../platform/outbox/command';

/** The lane of hearts; a command's body is the request as it will be sent. */
export const HEARTS = 'watchlist';

export type HeartCommand = Command<WatchBody>;

/** Hearts that the server has yet to hear of or has refused, in the order they were given. */
export const heartCommands = (db: UserDb): Promise<HeartCommand[]> =>
  db.outbox.where('lane').equals(HEARTS).sortBy('seq') as Promise<HeartCommand[]>;
