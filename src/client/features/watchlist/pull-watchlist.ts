import { load } from '#client/platform/cache/resource.ts';
import { signedIn } from '#client/platform/session/signed-in.ts';
import { watchlistResource, wholeWatchlist } from './watchlist-resource.ts';

/** Asks for the hearts again. Without an answer they stay as they are; the next connection asks again. */
export async function pullWatchlist(): Promise<void> {
  const user = signedIn();
  if (user) await load(user.db, watchlistResource, wholeWatchlist(user.userId)).catch(() => undefined);
}
