import { forgetReads } from '#client/platform/cache/memory.ts';
import { transact } from '#client/platform/db/transact.ts';
import type { UserDb, UserTables } from '#client/platform/db/user-db.ts';
import { deleteWithScreens } from '#client/platform/first-screen/stored-screens.ts';
import { rowIdOf, unsentQuestions } from '#client/platform/outbox/questions.ts';
import { tellDraftsCleared } from '#client/platform/tabs/drafts-cleared.ts';
import { COIN_IMAGE_CACHE } from '#contract/market/coin-images.ts';
import type { KindId } from './kinds.ts';
import { draftPictures, STAMPS } from './measure.ts';

const WATCHLIST = 'watchlist';

/** Deletes the rows of each kind, except unsent ones. */
const CLEARED: Partial<Record<KindId, (db: UserTables) => Promise<unknown>>> = {
  async chats(db) {
    const unsent = await unsentQuestions(db);
    const chats = new Set(unsent.map(({ body }) => body.message.archive_id));
    const messages = new Set(unsent.map(rowIdOf));
    await db.archives.filter(({ id }) => !chats.has(id)).delete();
    await db.messages.filter(({ id }) => !messages.has(id)).delete();
  },

  async images(db) {
    const drafted = draftPictures(await db.drafts.toArray());
    await db.images.filter(({ path }) => !drafted.some((id) => path.includes(id))).delete();
  },

  async market(db) {
    const watched = new Set(await db.watchlist.toCollection().primaryKeys());
    await db.coins.filter(({ id }) => !watched.has(id)).delete();
    await db.coinLists.filter(({ key }) => key !== WATCHLIST).delete();
    await Promise.all([db.coinDetails.clear(), db.candles.clear(), db.indicators.clear()]);
  },

  watchlist: (db) => Promise.all([db.watchlist.clear(), db.coinLists.delete(WATCHLIST)]),

  alerts: (db) => Promise.all([db.alerts.clear(), db.firings.clear()]),

  notifications: (db) => db.notifications.clear(),

  bots: (db) => Promise.all([db.bots.clear(), db.botReports.clear(), db.botAnswers.clear(), db.backtests.clear()]),

  support: (db) => db.contacts.filter(({ sentAt }) => sentAt !== null).delete(),

  async drafts(db) {
    const drafts = await db.drafts.toArray();
    const sending = new Set((await unsentQuestions(db)).map(({ body }) => body.message.chat_image));
    await db.attachments.bulkDelete(drafts.flatMap(({ imageId }) => (imageId && !sending.has(imageId) ? [imageId] : [])));
    const pictures = draftPictures(drafts);
    await db.images.filter(({ path }) => pictures.some((id) => path.includes(id))).delete();
    await db.drafts.clear();
  },
};

/** Deletes all data of a kind from this device. Data that the server has is loaded again on demand. */
export async function clearKind(db: UserDb, kind: KindId, storage: CacheStorage | undefined = globalThis.caches): Promise<void> {
  const clear = CLEARED[kind];
  if (!clear) return;
  const clearRows = async (db: UserTables) => {
    await clear(db);
    await db.stamps.filter(({ key }) => STAMPS[kind]?.test(key) ?? false).delete();
  };
  await deleteWithScreens(() => transact(db, db.tables, clearRows));
  forgetReads();
  if (kind === 'images') await storage?.delete(COIN_IMAGE_CACHE);
  if (kind === 'drafts') tellDraftsCleared(db.name);
}
