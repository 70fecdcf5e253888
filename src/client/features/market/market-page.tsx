import { lazy, Suspense, useEffect } from 'react';
import { afterContent } from '../../platform/after-content';
import { userDb } from '../../platform/db/user-db';
import { useClaims } from '../../platform/session/use-session';
import { SkeletonRows } from '../../ui/skeleton';
import { TwoPane } from '../../ui/two-pane';
import { ChooseCoin } from './choose-coin';
import { CoinList } from './coin-list';
import { useWide } from './use-wide';

// The list is the first thing people open in the morning; it does not wait for what comes after a tap.
const CoinDetails = lazy(() => import('./coin-details').then((module) => ({ default: module.CoinDetails })));

/** `/crypto` and `/crypto/details/:cryptoId` (spec §2): side by side from 1024 px, else the one the address names. */
export default function MarketPage({ cryptoId }: { cryptoId?: string | undefined }) {
  const userId = useClaims().sub;
  const wide = useWide();
  const chosen = cryptoId !== undefined;
  const id = chosen && /^\d{1,9}$/.test(cryptoId) ? Number(cryptoId) : undefined;
  useEffect(() => {
    void afterContent()
      .then(() => import('./warm-coin-images'))
      .then(({ warmCoinImages }) => warmCoinImages(userDb(userId)));
  }, [userId]);
  return (
    <TwoPane
      current={chosen ? 'detail' : 'list'}
      list={<CoinList current={id} shown={wide || !chosen} />}
      detail={
        chosen ? (
          <Suspense fallback={<SkeletonRows count={8} />}>
            <CoinDetails id={id} />
          </Suspense>
        ) : (
          <ChooseCoin />
        )
      }
    />
  );
}
