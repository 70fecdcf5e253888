import { call } from '#client/platform/api/call.ts';
import { transact } from '#client/platform/db/transact.ts';
import type { UserDb, UserTables } from '#client/platform/db/user-db.ts';
import { alertAnswer } from '#contract/alerts/alert.ts';
import { messageAnswer } from '#contract/envelope.ts';
import type { AlertCommand } from './alert-commands.ts';
import { SENT } from './alerts-resource.ts';

/** Sends a change of an alert. Stores the answer before the command is removed, so that the list never flickers. */
export async function sendAlert(db: UserDb, { id: key, body }: AlertCommand): Promise<void> {
  const path = `/alerts/${encodeURIComponent(body.userId)}/${body.id}`;
  const store = (write: (db: UserTables) => Promise<unknown>) =>
    transact(db, [db.alerts, db.stamps], async (db) => {
      await db.stamps.put({ key: SENT, savedAt: Date.now() });
      await write(db);
    });
  if (body.kind === 'put') {
    const { data } = await call(path, { method: 'PUT', body: body.body, key, answer: alertAnswer });
    await store((db) => db.alerts.put(data));
  } else if (body.kind === 'pause') {
    await call(`${path}/pause`, { method: 'POST', body: { paused: body.paused }, key, answer: messageAnswer });
    await store((db) => db.alerts.update(body.id, { paused: body.paused }));
  } else {
    await call(path, { method: 'DELETE', key, answer: messageAnswer });
    await store((db) => db.alerts.delete(body.id));
  }
}
