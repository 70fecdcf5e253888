import { useEffect, useState } from 'react';
import { useLive } from '#client/platform/cache/use-live.ts';
import type { ResourceState } from '#client/platform/cache/use-resource.ts';
import { userDb } from '#client/platform/db/user-db.ts';
import { usePolledResource } from '#client/platform/use-polled-resource.ts';
import type { Bot } from '#contract/bots/bot.ts';
import { SECOND } from '#domain/clock.ts';
import { botList } from './bot-resources.ts';

const PROVISIONING_INTERVAL = 2 * SECOND;
const INTERVAL = 5 * SECOND;
/** ms after a creation; the list is also refreshed at once. */
const AFTER_CREATION = [3 * SECOND, 5 * SECOND];

/** Returns how often to poll the bots, in ms. 0 stops polling: without bots, nothing changes by itself. */
export const pollInterval = (bots: readonly Bot[] | undefined): number => {
  if (!bots || bots.length === 0) return 0;
  return bots.some(({ status }) => status === 'PROVISIONING') ? PROVISIONING_INTERVAL : INTERVAL;
};

export interface BotsState extends ResourceState<Bot[]> {
  /** The service has confirmed since this page opened that the user has no bot. A failed load does not count. */
  isEmpty: boolean;
  /** The device has no bot stored: there is none, or the list is still loading. */
  hasNoStoredBot: boolean;
  /** Refreshes now and twice in the seconds after, in which a new bot is set up. */
  refreshAfterCreation: () => void;
}

/** Returns the user's bots, and polls them while the page is visible and the service is reachable. */
export function useBots(userId: string): BotsState {
  const list = usePolledResource(botList, { userId }, pollInterval);
  const known = useLive(`${userId}/bots/count`, () => userDb(userId).bots.count());
  const [isAnswered, setAnswered] = useState(false);
  const [creation, setCreation] = useState(0);
  const { data, error, isValidating, origin, refresh } = list;

  // Set while rendering, so that React never paints the outdated state.
  if (!isAnswered && data && !error && !isValidating && origin === 'network') setAnswered(true);

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per creation
  useEffect(() => {
    if (creation === 0) return;
    void refresh();
    const timers = AFTER_CREATION.map((wait) => setTimeout(() => void refresh(), wait));
    return () => timers.forEach(clearTimeout);
  }, [creation]);

  return {
    ...list,
    isEmpty: isAnswered && data?.length === 0,
    hasNoStoredBot: known === 0,
    refreshAfterCreation: () => setCreation((count) => count + 1),
  };
}
