import { useLive } from '#client/platform/cache/use-live.ts';
import type { UserDb } from '#client/platform/db/user-db.ts';

/** The amount of the configure page, USD in digits, until a bot is created with or without it (docs/decisions.md). */
const KEY = 'bot/position-size';

export const saveAmount = (db: UserDb, amount: string) => db.drafts.put({ key: KEY, text: amount, imageId: null, editing: null });
export const clearAmount = (db: UserDb) => db.drafts.delete(KEY);

/** Undefined until the device has said; empty where nothing is kept. */
export const useSavedAmount = (db: UserDb): string | undefined =>
  useLive(`${db.name}/${KEY}`, async () => (await db.drafts.get(KEY))?.text ?? '');
