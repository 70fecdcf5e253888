import { lazy, Suspense, useMemo } from 'react';
import MarketPage from '../../features/market/market-page';
import { type WatchlistParts, WatchlistSlot } from '../../features/market/watchlist-slot';
import { useWatched } from '../../features/watchlist/use-watched';

// Both come with a coin's page, never with the list.
const CoinHeart = lazy(() => import('../../features/watchlist/coin-heart').then((module) => ({ default: module.CoinHeart })));
const RefusedHearts = lazy(() => import('../../features/watchlist/refused-hearts').then((module) => ({ default: module.RefusedHearts })));

/** `/crypto` and `/crypto/details/:cryptoId`, with the hearts of the watchlist. */
export default function MarketWithHearts({ cryptoId }: { cryptoId?: string | undefined }) {
  const watched = useWatched();
  const parts = useMemo<WatchlistParts>(
    () => ({
      watched,
      heart: (coin, told, onSent) => (
        <Suspense>
          <CoinHeart key={coin.id} coin={coin} told={told} onSent={onSent} />
        </Suspense>
      ),
      refused: (id) => (
        <Suspense>
          <RefusedHearts id={id} />
        </Suspense>
      ),
    }),
    [watched],
  );
  return (
    <WatchlistSlot value={parts}>
      <MarketPage cryptoId={cryptoId} />
    </WatchlistSlot>
  );
}
