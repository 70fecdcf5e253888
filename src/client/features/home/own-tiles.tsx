import type { Ahead } from '#client/platform/cache/read-ahead.ts';
import { useUserLive } from '#client/platform/cache/use-live.ts';
import type { UserDb } from '#client/platform/db/user-db.ts';
import { useAmounts } from '#client/platform/device-choices/hidden-amounts.ts';
import { useUnread } from '#client/platform/notifications/unread.ts';
import { Tile } from '#client/ui/layout/tile.tsx';
import { NOTIFICATIONS_PAGE } from '#contract/notifications/pages.ts';
import { type RunningBots, runningBots } from '#domain/bots/running-bots.ts';

const readRunning = async (db: UserDb): Promise<RunningBots> => runningBots(await db.bots.toArray());

/** The query of `OwnTiles`, for the first render of a page. */
export const runningAhead: Ahead = { key: 'bots/running', query: readRunning };

/** The user's running bots with their profit or loss, and unread notifications. */
export function OwnTiles() {
  const bots = useUserLive(runningAhead.key, readRunning);
  const unread = useUnread();
  const { gain } = useAmounts();
  return (
    <>
      <Tile
        href="/trading-bot"
        label="Running bots"
        value={bots?.gain === undefined ? '0' : gain(bots.gain)}
        detail={bots?.summary ?? 'None is running'}
      />
      <Tile
        href={NOTIFICATIONS_PAGE}
        label="Unread"
        value={unread}
        detail={unread === 0 ? 'You are up to date' : unread === 1 ? 'notification' : 'notifications'}
      />
    </>
  );
}
