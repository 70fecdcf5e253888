import { call } from '#client/platform/api/call.ts';
import { isOutdated } from '#client/platform/cache/is-outdated.ts';
import type { Resource } from '#client/platform/cache/resource.ts';
import { type Alert, alertsAnswer, type Firing, firingsAnswer } from '#contract/alerts/alert.ts';
import { type AlertCommand, alertCommands } from './alert-commands.ts';

/** An alert with waiting changes applied. */
export type ShownAlert = Alert & { isUnsent: boolean };

export interface AlertsData {
  /** Newest first. */
  alerts: ShownAlert[];
  /** Changes that the server refused. */
  refused: AlertCommand[];
}

/** Stamp of the last answer to one change. */
export const SENT = 'alerts/sent';

/** The user's alerts. Waiting changes are applied on each read and never written into the server's state. */
export const alertsResource: Resource<{ userId: string }, { alerts: Alert[]; askedAt: number }, AlertsData> = {
  key: () => 'alerts',

  async fetch({ userId }) {
    const askedAt = Date.now();
    const { data } = await call(`/alerts/${encodeURIComponent(userId)}`, { answer: alertsAnswer });
    return { alerts: data, askedAt };
  },

  async write(db, _params, { alerts, askedAt }) {
    if (isOutdated(askedAt, await db.stamps.get(SENT))) return;
    await db.alerts.clear();
    await db.alerts.bulkPut(alerts);
  },

  async read(db, _params, stamped) {
    const [stored, commands] = await Promise.all([db.alerts.toArray(), alertCommands(db)]);
    if (!stamped && stored.length === 0 && commands.length === 0) return undefined;
    return { alerts: withChanges(stored, commands), refused: commands.filter(({ state }) => state === 'parked') };
  },
};

/** Applies waiting changes to alerts. */
function withChanges(stored: readonly Alert[], commands: readonly AlertCommand[]): ShownAlert[] {
  const shown = new Map(stored.map((alert): [string, ShownAlert] => [alert.id, { ...alert, isUnsent: false }]));
  for (const { state, body, createdAt } of commands) {
    if (state === 'parked') continue;
    const before = shown.get(body.id);
    if (body.kind === 'delete') shown.delete(body.id);
    else if (body.kind === 'pause') {
      if (before) shown.set(body.id, { ...before, paused: body.paused, isUnsent: true });
    } else {
      const made = before?.created_at ?? new Date(createdAt).toISOString();
      const kept = { id: body.id, state: 'watching' as const, created_at: made, fired_at: before?.fired_at ?? null };
      shown.set(body.id, { ...body.body.alert, ...kept, isUnsent: true });
    }
  }
  return [...shown.values()].sort((a, b) => (a.created_at < b.created_at ? 1 : -1));
}

/** When and where alerts fired, newest first. */
export const firingsResource: Resource<{ userId: string }, Firing[], Firing[]> = {
  key: () => 'alert-history',
  fetch: async ({ userId }) => (await call(`/alerts/${encodeURIComponent(userId)}/history`, { answer: firingsAnswer })).data,
  show: (firings) => firings,
  async write(db, _params, firings) {
    await db.firings.clear();
    await db.firings.bulkPut(firings);
  },
  async read(db, _params, stamped) {
    const rows = await db.firings.orderBy('at').reverse().toArray();
    return stamped || rows.length > 0 ? rows : undefined;
  },
};
