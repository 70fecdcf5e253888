import { onMissed } from '#client/platform/live/socket.ts';
import { startLane } from '#client/platform/outbox/start-lanes.ts';
import { signedIn } from '#client/platform/session/signed-in.ts';
import { ALERTS, type AlertChange } from './alert-commands.ts';

/**
 * Sends changes of alerts, and loads those of other devices on each connection. Call once, at boot. `notify` shows a
 * refused change to the user.
 */
export function startAlerts(notify: (message: string) => void): void {
  startLane<AlertChange>(
    // The contract's schemas load with the first change.
    { name: ALERTS, send: async (db, command) => (await import('./send-alerts.ts')).sendAlert(db, command) },
    ({ title }, reason) => notify(`Your alert was not saved (${title}). ${reason}`),
  );
  onMissed(() => void pullAlerts());
}

/** After a failure the stored alerts stay until the next connection. */
async function pullAlerts(): Promise<void> {
  const user = signedIn();
  if (!user) return;
  await import('./keep-alerts.ts').then(({ keepAlerts }) => keepAlerts(user.db, user.userId)).catch(() => undefined);
}
