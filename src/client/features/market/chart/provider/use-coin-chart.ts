import { useState } from 'react';
import { useReachable } from '#client/platform/live/use-reachable.ts';
import { isOwnChartPreferred, isProviderBackingOff, preferOwnChart, providerSymbol, rememberProvider } from './coin-chart-provider.ts';

export interface CoinChartState {
  /** The provider's name of the coin, while its chart is tried or shown. */
  provider: string | undefined;
  /** Whose chart is visible. */
  shown: 'provider' | 'own';
  /** Whether the user can choose between the charts. */
  hasChoice: boolean;
  /** Called when the provider's page has succeeded, failed or timed out. */
  settle: (drew: boolean) => void;
  /** Chooses the chart, on this device. */
  choose: (chart: 'provider' | 'own') => void;
}

/** Decides which chart to show: the provider's if it can be reached and the user has not chosen ours, else ours. */
export function useCoinChart(symbol: string): CoinChartState {
  const reachable = useReachable();
  const [backingOff, setBackingOff] = useState(() => isProviderBackingOff(Date.now()));
  const [isOwnPreferred, setOwnPreferred] = useState(isOwnChartPreferred);
  const [drew, setDrew] = useState(false);
  const available = reachable && !backingOff ? providerSymbol(symbol) : undefined;
  const provider = isOwnPreferred ? undefined : available;
  // After a reconnect, the provider must draw again.
  if (drew && !provider) setDrew(false);

  return {
    provider,
    shown: provider && drew ? 'provider' : 'own',
    hasChoice: drew || (isOwnPreferred && available !== undefined),
    settle(success) {
      rememberProvider(success, Date.now());
      setDrew(success);
      setBackingOff(!success);
    },
    choose(chart) {
      preferOwnChart(chart === 'own');
      setOwnPreferred(chart === 'own');
    },
  };
}
