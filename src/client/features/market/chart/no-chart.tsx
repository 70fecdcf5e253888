import { type ResourceState, useResource } from '#client/platform/cache/use-resource.ts';
import { useReachable } from '#client/platform/live/use-reachable.ts';
import { Button } from '#client/ui/buttons/button.tsx';
import { Skeleton } from '#client/ui/feedback/skeleton.tsx';
import type { ChartCandles, ChartPeriod } from '#contract/market/chart-candles.ts';
import { candlesResource } from './candles-resource.ts';
import { formatCandleRange, formatCandleTime, PERIOD_NAMES } from './chart-texts.ts';
import { MIN_CANDLES, periodWithData } from './coin-chart-periods.ts';
import type { ChartedCoin } from './compared-coin.tsx';
import styles from './no-chart.module.css';

interface NoChartProps {
  coin: ChartedCoin;
  period: ChartPeriod;
  state: ResourceState<ChartCandles>;
  onChoose: (period: ChartPeriod) => void;
}

/** Takes the chart's place while it loads, and says why there is none. */
export function NoChart({ coin, period, state, onChoose }: NoChartProps) {
  const reachable = useReachable();
  const whole = useResource(candlesResource, state.data ? { id: coin.id, period: 'ALL' } : null);
  if (state.isLoading || whole.isLoading) return <Skeleton height="100%" radius="var(--radius-card)" />;
  const name = period === 'ALL' ? 'This chart' : `The chart of ${PERIOD_NAMES[period]}`;
  const offered = whole.data && periodWithData(whole.data);
  return (
    <div className={styles.none} role="status">
      <p>
        {state.data
          ? reason(coin.name, period, whole.data)
          : reachable
            ? `${name} could not be loaded.`
            : `Offline. ${name} is not on this device yet.`}
      </p>
      {offered && (
        <Button variant="secondary" onClick={() => onChoose(offered)}>
          {offered === 'ALL' ? 'Show all days' : `Show ${PERIOD_NAMES[offered]}`}
        </Button>
      )}
      {!state.data && reachable && (
        <Button variant="secondary" onClick={() => void state.refresh()}>
          Try again
        </Button>
      )}
    </div>
  );
}

/** Says why a period has no chart. `days`: all that is known. */
function reason(name: string, period: ChartPeriod, days: ChartCandles | undefined): string {
  const none = `There are no ${period === '1D' || period === '7D' ? 'hourly' : 'daily'} prices of ${name}`;
  const [first] = days?.candles ?? [];
  const last = days?.candles.at(-1);
  if (!days || !first || !last) return `${none} yet.`;
  if (days.candles.length < MIN_CANDLES)
    return `A chart needs two days of prices. The first day is ${formatCandleTime(first.time, days.interval)}.`;
  return `${none} for ${PERIOD_NAMES[period]}. Daily prices cover ${formatCandleRange(first.time, last.time, days.interval)}.`;
}
