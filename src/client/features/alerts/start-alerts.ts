import { startLane } from '#client/platform/outbox/start-lanes.ts';
import { ALERTS, type AlertChange } from './alert-commands.ts';

/** Sends changes of alerts. Call once, at boot. `notify` shows a refused change to the user. */
export function startSendingAlerts(notify: (message: string) => void): void {
  startLane<AlertChange>(
    // The contract's schemas load with the first change.
    { name: ALERTS, send: async (db, command) => (await import('./send-alerts.ts')).sendAlert(db, command) },
    ({ title }, reason) => notify(`Your alert was not saved (${title}). ${reason}`),
  );
}
