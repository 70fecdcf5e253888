import { useEffect, useRef } from 'react';
import { useUserLive } from '#client/platform/cache/use-live.ts';
import { type ResourceState, useResource } from '#client/platform/cache/use-resource.ts';
import type { UserDb } from '#client/platform/db/user-db.ts';
import { useClaims } from '#client/platform/session/use-session.ts';
import type { Firing } from '#contract/alerts/alert.ts';
import { type AlertsData, alertsResource, firingsResource } from './alerts-resource.ts';

/** Returns the id of the newest notification of an alert. */
const readNewest = async (db: UserDb): Promise<string> => {
  const newest = await db.notifications
    .orderBy('created_at')
    .reverse()
    .filter(({ kind }) => kind === 'alert')
    .first();
  return newest?.id ?? '';
};

/** Returns the user's alerts and their history. Both are fetched again when an alert fires. */
export function useAlerts(): { list: ResourceState<AlertsData>; history: ResourceState<Firing[]> } {
  const userId = useClaims().sub;
  const list = useResource(alertsResource, { userId });
  const history = useResource(firingsResource, { userId });
  const newest = useUserLive('newest-alert', readNewest);
  const seen = useRef(newest);
  const refreshes = useRef([list.refresh, history.refresh]);
  refreshes.current = [list.refresh, history.refresh];
  useEffect(() => {
    const isNews = newest !== undefined && seen.current !== undefined && newest !== seen.current;
    seen.current = newest;
    // The resources report errors themselves.
    if (isNews) for (const refresh of refreshes.current) void refresh().catch(() => undefined);
  }, [newest]);
  return { list, history };
}
