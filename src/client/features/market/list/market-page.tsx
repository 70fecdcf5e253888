import { type ComponentProps, Suspense, useEffect, useState } from 'react';
import { afterContent } from '#client/platform/after-content.ts';
import { useResource } from '#client/platform/cache/use-resource.ts';
import { firstScreen } from '#client/platform/first-screen/first-screen.ts';
import { lateComponent } from '#client/platform/late-component.tsx';
import { useFiguresInterval } from '#client/platform/live/coin-ticks.ts';
import { preloadWhenIdle } from '#client/platform/preload-when-idle.ts';
import { useLocation } from '#client/platform/router/history.ts';
import { useClaims } from '#client/platform/session/use-session.ts';
import { SkeletonRows } from '#client/ui/feedback/skeleton.tsx';
import { useWide } from '#client/ui/hooks/use-wide.ts';
import { TwoPane } from '#client/ui/layout/two-pane.tsx';
import { readChoice } from '#domain/market/list-address.ts';
import type { FirstCoin as First } from '../coin/first-coin.tsx';
import { CoinList } from './coin-list.tsx';
import { coinListResource } from './coin-list-resource.ts';

// The list does not wait for code that only a tap needs.
const { component: CoinDetails, load: loadDetails } = lateComponent<{ id: number | undefined }>(() =>
  import('../coin/coin-details.tsx').then((module) => ({ default: module.CoinDetails })),
);

const { component: FirstCoin } = lateComponent<ComponentProps<typeof First>>(async () => {
  // A stored screen shows the coin, too: the app takes over with it.
  if (!firstScreen()) await afterContent();
  return { default: (await import('../coin/first-coin.tsx')).FirstCoin };
});

/** `/crypto` and `/crypto/details/:cryptoId`: both panes from 1024 px, otherwise the one in the address. */
export default function MarketPage({ cryptoId }: { cryptoId?: string | undefined }) {
  const userId = useClaims().sub;
  const wide = useWide();
  const [first, setFirst] = useState<number>();
  const chosen = cryptoId !== undefined;
  const shown = wide || !chosen;
  const choice = readChoice(useLocation().search);
  const interval = useFiguresInterval();
  const list = useResource(coinListResource, choice, { refreshInterval: shown ? interval : 0 });
  const id = chosen && /^\d{1,9}$/.test(cryptoId) ? Number(cryptoId) : undefined;
  useEffect(() => preloadWhenIdle([loadDetails, async () => (await import('../keep-offline.ts')).keepOffline(userId)]), [userId]);
  return (
    <TwoPane
      hasColumns
      current={chosen ? 'detail' : 'list'}
      list={<CoinList list={list} choice={choice} current={id ?? (wide && !chosen ? first : undefined)} shown={shown} />}
      detail={
        (chosen || wide) && (
          <Suspense fallback={<SkeletonRows count={8} />}>
            {chosen ? <CoinDetails id={id} /> : <FirstCoin id={first} list={list} choice={choice} onOpen={setFirst} />}
          </Suspense>
        )
      }
    />
  );
}
