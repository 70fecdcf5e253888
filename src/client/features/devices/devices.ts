import { call } from '#client/platform/api/call.ts';
import { isMissing } from '#client/platform/api/errors.ts';
import type { Resource } from '#client/platform/cache/resource.ts';
import type { UserDb } from '#client/platform/db/user-db.ts';
import { type Device, devicesAnswer } from '#contract/account/sessions.ts';
import { messageAnswer } from '#contract/envelope.ts';

/** The user's signed-in devices: this one first, then the others by last use. */
export const devices: Resource<{ userId: string }, Device[], Device[]> = {
  key: () => 'devices',

  fetch: async () => (await call('/auth/sessions/', { answer: devicesAnswer })).data,

  async write(db, _params, listed) {
    await db.devices.clear();
    await db.devices.bulkPut(listed);
  },

  async read(db, _params, stamped) {
    const rows = await db.devices.toArray();
    if (!stamped && rows.length === 0) return undefined;
    return rows.sort((one, other) => Number(other.current) - Number(one.current) || (one.last_seen_at < other.last_seen_at ? 1 : -1));
  },
};

/** Signs out one device. Succeeds if it is signed out already. Throws like `call`. */
export async function signOutDevice(db: UserDb, { id }: Device): Promise<void> {
  try {
    await call(`/auth/sessions/${encodeURIComponent(id)}/`, { method: 'DELETE', answer: messageAnswer });
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  await db.devices.delete(id);
}

/** Signs out every device except this one. Throws like `call`. */
export async function signOutOthers(db: UserDb): Promise<void> {
  await call('/auth/sessions/', { method: 'DELETE', answer: messageAnswer });
  await db.devices.filter(({ current }) => !current).delete();
}
