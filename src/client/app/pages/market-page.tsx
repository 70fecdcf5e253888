import { Suspense, useEffect, useMemo } from 'react';
import { AlertsSlot } from '#client/features/market/alerts-slot.ts';
import { coinListResource } from '#client/features/market/list/coin-list-resource.ts';
import MarketPage from '#client/features/market/list/market-page.tsx';
import { loadLateParts } from '#client/features/market/list/use-late-parts.ts';
import { type WatchlistParts, WatchlistSlot } from '#client/features/market/watchlist-slot.ts';
import type { CoinHeartProps } from '#client/features/watchlist/coin-heart.tsx';
import { heartsAhead, useWatched } from '#client/features/watchlist/use-watched.ts';
import type { Ahead } from '#client/platform/cache/read-ahead.ts';
import { resourceAhead } from '#client/platform/cache/use-resource.ts';
import { lateComponent } from '#client/platform/late-component.tsx';
import { preloadWhenIdle } from '#client/platform/preload-when-idle.ts';
import { readChoice } from '#domain/market/list-address.ts';

// Both come with a coin's page, never with the list.
const { component: CoinHeart, load: loadHeart } = lateComponent<CoinHeartProps>(() =>
  import('#client/features/watchlist/coin-heart.tsx').then((module) => ({ default: module.CoinHeart })),
);
const { component: RefusedHearts, load: loadRefused } = lateComponent<{ id: number }>(() =>
  import('#client/features/watchlist/refused-hearts.tsx').then((module) => ({ default: module.RefusedHearts })),
);

const loadAlerts = () => import('./coin-alert-parts.tsx');

/** What the first render shows of the list. */
export const ahead = ({ search }: Pick<Location, 'search'>): Ahead[] => [
  resourceAhead(coinListResource, readChoice(search)),
  heartsAhead,
  { key: 'parts', query: loadLateParts }, // a stored screen has them already
];

/** `/crypto` and `/crypto/details/:cryptoId`, with the hearts of the watchlist and price alerts. */
export default function MarketWithHearts({ cryptoId }: { cryptoId?: string | undefined }) {
  const watched = useWatched();
  useEffect(() => preloadWhenIdle([loadHeart, loadRefused, loadAlerts]), []);
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
      <AlertsSlot value={loadAlerts}>
        <MarketPage cryptoId={cryptoId} />
      </AlertsSlot>
    </WatchlistSlot>
  );
}
