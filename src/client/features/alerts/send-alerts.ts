import { call } from '#client/platform/api/call.ts';
import type { UserDb } from '#client/platform/db/user-db.ts';
import { alertAnswer } from '#contract/alerts/alert.ts';
import { messageAnswer } from '#contract/envelope.ts';
import type { AlertCommand } from './alert-commands.ts';
import { SENT } from './alerts-resource.ts';

/** Sends a change of an alert. Stores the answer before the command is removed, so that the list never flickers. */
export async function sendAlert(db: UserDb, { id: key, body }: AlertCommand): Promise<void> {
  const path = `/alerts/${encodeURIComponent(body.userId)}/${body.id}`;
  const store = (write: () => Promise<unknown>) =>
    db.transaction('rw', db.alerts, db.stamps, async () => {
      await db.stamps.put({ key: SENT, savedAt: Date.now() });
      await write();
    });
  if (body.kind === 'put') {
    const { data } = await call(path, { method: 'PUT', body: body.body, key, answer: alertAnswer });
    await store(() => db.alerts.put(data));
  } else if (body.kind === 'pause') {
    await call(`${path}/pause`, { method: 'POST', body: { paused: body.paused }, key, answer: messageAnswer });
    await store(() => db.alerts.update(body.id, { paused: body.paused }));
  } else {
    await call(path, { method: 'DELETE', key, answer: messageAnswer });
    await store(() => db.alerts.delete(body.id));
  }
}
