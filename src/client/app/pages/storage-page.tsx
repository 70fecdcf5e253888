import { alertsResource } from '#client/features/alerts/alerts-resource.ts';
import { archives } from '#client/features/archive/archives.ts';
import { LinksCard } from '#client/features/chat/links/links-card.tsx';
import { StoragePage } from '#client/features/storage/storage-page.tsx';
import { pullWatchlist } from '#client/features/watchlist/pull-watchlist.ts';
import { load } from '#client/platform/cache/resource.ts';
import { userDb } from '#client/platform/db/user-db.ts';
import { useClaims } from '#client/platform/session/use-session.ts';

/** `/settings/storage`: an import reloads the lists it adds to. Shared chats are here, because they are data that others can read. */
export default function StorageWithLists() {
  const userId = useClaims().sub;
  const reload = async () => {
    const db = userDb(userId);
    await Promise.allSettled([load(db, archives, { userId }), load(db, alertsResource, { userId }), pullWatchlist()]);
  };
  return <StoragePage onAdded={reload} sharing={<LinksCard />} />;
}
