import type { UserTables } from '#client/platform/db/user-db.ts';
import type { Command } from '#client/platform/outbox/command.ts';
import type { PutAlertBody } from '#contract/alerts/alert-form.ts';

/** The outbox lane of price alerts. */
export const ALERTS = 'alerts';

/** A change of an alert. `title` names it as the user saw it. */
export type AlertChange = { userId: string; id: string; title: string } & (
  | { kind: 'put'; body: PutAlertBody }
  | { kind: 'pause'; paused: boolean }
  | { kind: 'delete' }
);

export type AlertCommand = Command<AlertChange>;

/** Returns the waiting and refused changes of alerts, oldest first. */
export const alertCommands = (db: UserTables): Promise<AlertCommand[]> =>
  db.outbox.where('lane').equals(ALERTS).sortBy('seq') as Promise<AlertCommand[]>;
