import { load } from '../../platform/cache/resource';
import { signedIn } from '../../platform/session/signed-in';
import { watchlistResource, wholeWatchlist } from './watchlist-resource';

/** Asks for the hearts again. Without an answer they stay as they are; the next connection asks again. */
export async function pullWatchlist(): Promise<void> {
  const user = signedIn();
  if (user) await load(user.db, watchlistResource, wholeWatchlist(user.userId)).catch(() => undefined);
}
