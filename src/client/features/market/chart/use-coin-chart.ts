import { useEffect, useState } from 'react';
import { useResource } from '#client/platform/cache/use-resource.ts';
import { useReachable } from '#client/platform/live/use-reachable.ts';
import type { DailyCandles } from '#contract/market/market.ts';
import { candlesResource } from './candles-resource.ts';
import { FEWEST_CANDLES } from './coin-chart-periods.ts';
import { hasProviderDrawn, isProviderResting, providerSymbol, rememberProvider } from './coin-chart-provider.ts';

/** What follows the price waits no longer than this for word of a history, ms. */
const LONGEST_WAIT_MS = 3_000;

export interface CoinChartState {
  /** Not known yet whether there will be a chart: what stands below it had better wait. */
  undecided: boolean;
  /** Our own history, where it is long enough to draw. */
  history: DailyCandles | undefined;
  /** The provider's name of the coin while its page is to be tried or shown. */
  provider: string | undefined;
  /** Whose chart is to be seen. */
  shown: 'provider' | 'own' | 'none';
  /** The provider's page has said how it went, or nothing for too long. */
  settle: (drew: boolean) => void;
}

/** The provider's chart where it can be reached, our own until then and wherever not, and none without a history. */
export function useCoinChart(id: number, symbol: string): CoinChartState {
  const reachable = useReachable();
  const stored = useResource(candlesResource, { id });
  const waited = useWaited(LONGEST_WAIT_MS);
  const [resting, setResting] = useState(() => isProviderResting(Date.now()));
  const [drew, setDrew] = useState(false);
  const provider = reachable && !resting ? providerSymbol(symbol) : undefined;
  // A new connection means a new try.
  if (drew && !provider) setDrew(false);

  const history = stored.data && stored.data.candles.length >= FEWEST_CANDLES ? stored.data : undefined;
  return {
    undecided: stored.isLoading && !waited && !drew,
    history,
    provider,
    shown: provider && (drew || (!history && hasProviderDrawn())) ? 'provider' : history ? 'own' : 'none',
    settle(success) {
      rememberProvider(success, Date.now());
      setDrew(success);
      setResting(!success);
    },
  };
}

function useWaited(limit: number): boolean {
  const [waited, setWaited] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setWaited(true), limit);
    return () => clearTimeout(timer);
  }, [limit]);
  return waited;
}
