import { isReachable } from '#client/platform/live/reachability.ts';
import { startLane } from '#client/platform/outbox/start-lanes.ts';
import { onSyncTrigger } from '#client/platform/outbox/sync-triggers.ts';
import { signedIn } from '#client/platform/session/signed-in.ts';
import { ALERTS, type AlertChange } from './alert-commands.ts';

/**
 * Sends changes of alerts, and brings those of other devices to this one, once a start. Call once, at boot. `notify`
 * shows a refused change to the user.
 */
export function startAlerts(notify: (message: string) => void): void {
  startLane<AlertChange>(
    // The contract's schemas load with the first change.
    { name: ALERTS, send: async (db, command) => (await import('./send-alerts.ts')).sendAlert(db, command) },
    ({ title }, reason) => notify(`Your alert was not saved (${title}). ${reason}`),
  );
  onSyncTrigger(() => void keepOnce());
}

/** Whose alerts this start has brought, or is bringing. */
let kept: string | undefined;

/** Tries again at the next sync trigger if it fails. */
async function keepOnce(): Promise<void> {
  const user = signedIn();
  if (!user || !isReachable() || kept === user.userId) return;
  kept = user.userId;
  try {
    const { keepAlerts } = await import('./keep-alerts.ts');
    await keepAlerts(user.db, user.userId);
  } catch {
    if (kept === user.userId) kept = undefined;
  }
}
