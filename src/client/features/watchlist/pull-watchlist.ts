import { load } from '#client/platform/cache/resource.ts';
import { signedIn } from '#client/platform/session/signed-in.ts';
import { watchlistResource, wholeWatchlist } from './watchlist-resource.ts';

/** Reloads the watchlist. After a failure the stored one stays until the next connection. */
export async function pullWatchlist(): Promise<void> {
  const user = signedIn();
  if (user) await load(user.db, watchlistResource, wholeWatchlist(user.userId)).catch(() => undefined);
}
