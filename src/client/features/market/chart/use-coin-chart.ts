import { useEffect, useState } from 'react';
import { useResource } from '#client/platform/cache/use-resource.ts';
import { useReachable } from '#client/platform/live/use-reachable.ts';
import type { DailyCandles } from '#contract/market/chart-candles.ts';
import { candlesResource } from './candles-resource.ts';
import { MIN_CANDLES } from './coin-chart-periods.ts';
import { hasProviderDrawn, isProviderBackingOff, providerSymbol, rememberProvider } from './coin-chart-provider.ts';

/** The content below the chart waits this long for the history, ms. */
const MAX_WAIT_MS = 3_000;

export interface CoinChartState {
  /** It is not known yet whether there will be a chart, so content below it should wait. */
  undecided: boolean;
  /** The stored history, if it is long enough to draw. */
  history: DailyCandles | undefined;
  /** The provider's name of the coin, while its chart is tried or shown. */
  provider: string | undefined;
  /** Whose chart is visible. */
  shown: 'provider' | 'own' | 'none';
  /** Called when the provider's page has succeeded, failed or timed out. */
  settle: (drew: boolean) => void;
}

/** Decides which chart to show: the provider's if reachable, ours until then and otherwise, none without a history. */
export function useCoinChart(id: number, symbol: string): CoinChartState {
  const reachable = useReachable();
  const stored = useResource(candlesResource, { id });
  const waited = useWaited(MAX_WAIT_MS);
  const [backingOff, setBackingOff] = useState(() => isProviderBackingOff(Date.now()));
  const [drew, setDrew] = useState(false);
  const provider = reachable && !backingOff ? providerSymbol(symbol) : undefined;
  // After a reconnect, the provider must draw again.
  if (drew && !provider) setDrew(false);

  const history = stored.data && stored.data.candles.length >= MIN_CANDLES ? stored.data : undefined;
  return {
    undecided: stored.isLoading && !waited && !drew,
    history,
    provider,
    shown: provider && (drew || (!history && hasProviderDrawn())) ? 'provider' : history ? 'own' : 'none',
    settle(success) {
      rememberProvider(success, Date.now());
      setDrew(success);
      setBackingOff(!success);
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
