import { useLive } from '#client/platform/cache/use-live.ts';
import type { UserDb } from '#client/platform/db/user-db.ts';

/** The amount typed on the Configure page, in whole USD. It prefills the next bot's position size. */
const KEY = 'bot/position-size';

export const saveAmount = (db: UserDb, amount: string) => db.drafts.put({ key: KEY, text: amount, imageId: null, editing: null });
export const clearAmount = (db: UserDb) => db.drafts.delete(KEY);

/** Returns the saved amount: undefined while the device is read, empty if there is none. */
export const useSavedAmount = (db: UserDb): string | undefined =>
  useLive(`${db.name}/${KEY}`, async () => (await db.drafts.get(KEY))?.text ?? '');
