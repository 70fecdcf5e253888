import { useEffect, useState } from 'react';
import { useLive } from '#client/platform/cache/use-live.ts';
import { type ResourceState, useResource } from '#client/platform/cache/use-resource.ts';
import { userDb } from '#client/platform/db/user-db.ts';
import type { Bot } from '#contract/bots/bot.ts';
import { SECOND } from '#domain/clock.ts';
import { botList } from './bot-resources.ts';

/** ms: how often bots are asked for while any is being set up, and otherwise (spec §4). */
const PROVISIONING_EVERY = 2 * SECOND;
const ELSE_EVERY = 5 * SECOND;
/** ms after a creation, beside at once. */
const AFTER_CREATION = [3 * SECOND, 5 * SECOND];

export const pollInterval = (bots: readonly Bot[] | undefined): number => {
  if (!bots || bots.length === 0) return 0;
  return bots.some(({ status }) => status === 'PROVISIONING') ? PROVISIONING_EVERY : ELSE_EVERY;
};

export interface BotsState extends ResourceState<Bot[]> {
  /** The service has said, since this page is open, that there is none. A list that failed to load is not an empty one. */
  isEmpty: boolean;
  /** The device knows of none: there are none, or they are still on their way. */
  hasNoStoredBot: boolean;
  /** To be called after a creation, whose bot changes in the seconds that follow. */
  refreshAfterCreation: () => void;
}

/** The user's bots, polled while this page is looked at and the service can be reached. */
export function useBots(userId: string): BotsState {
  const [every, setEvery] = useState(0);
  const list = useResource(botList, { userId }, { refreshInterval: every });
  const known = useLive(`${userId}/bots/count`, () => userDb(userId).bots.count());
  const [isAnswered, setAnswered] = useState(false);
  const [creation, setCreation] = useState(0);
  const { data, error, isValidating, origin, refresh } = list;

  // Decided while rendering, so that nothing of the state before is drawn.
  const next = pollInterval(data);
  if (next !== every) setEvery(next);
  if (!isAnswered && data && !error && !isValidating && origin === 'network') setAnswered(true);

  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each creation
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
