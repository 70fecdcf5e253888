import { useMemo, useState } from 'react';
import { LateCandleChart } from '#client/coins/chart/late-candle-chart.tsx';
import { formatPrice, shownMoney } from '#client/coins/money/money.ts';
import { rateOf } from '#client/coins/money/money-facts.ts';
import { useLast } from '#client/platform/cache/use-last.ts';
import { useResource } from '#client/platform/cache/use-resource.ts';
import { Button } from '#client/ui/buttons/button.tsx';
import type { ChartPeriod, DailyCandle } from '#contract/market/chart-candles.ts';
import { DAY } from '#domain/clock.ts';
import type { AlertLevel } from '../alerts-slot.ts';
import { candlesResource } from './candles-resource.ts';
import { ChartPeriods } from './chart-periods.tsx';
import { ChartSource } from './chart-source.tsx';
import { ChartSummary, Legend } from './chart-summary.tsx';
import { ChartTable } from './chart-table.tsx';
import { chartLabel, formatCandleTime } from './chart-texts.ts';
import styles from './coin-chart-own.module.css';
import { chartSpan, MIN_CANDLES } from './coin-chart-periods.ts';
import { type ChartedCoin, ComparedCoin } from './compared-coin.tsx';
import { NoChart } from './no-chart.tsx';

const OPENS_WITH: ChartPeriod = '3M';

/** Draws the candles of a coin, and describes them in text. */
export function OwnChart({ coin, level }: { coin: ChartedCoin; level?: AlertLevel | undefined }) {
  const [period, setPeriod] = useState<ChartPeriod>(OPENS_WITH);
  const [isTable, setTable] = useState(false);
  const [other, setOther] = useState<ChartedCoin>();
  const [pointed, setPointed] = useState<DailyCandle>();
  const state = useResource(candlesResource, { id: coin.id, period });
  const compared = useResource(candlesResource, other ? { id: other.id, period } : null);
  // The last period stays while the next one loads.
  const shown = useLast(state.data && { history: state.data, period });
  const history = state.data ?? (state.isLoading ? shown?.history : undefined);
  const span = history && chartSpan(history.candles, history.interval);
  const drawn = useMemo(() => inShownMoney(history?.candles ?? []), [history]);
  const lines = useMemo(() => level && [{ ...level, price: level.price * rateOf('USD'), tone: 'ink-2' as const }], [level]);
  const originalOf = ({ time }: DailyCandle) => history?.candles.find((each) => each.time === time);
  const candle = pointed ?? history?.candles.at(-1);
  const choose = (next: ChartPeriod) => {
    setPointed(undefined);
    setPeriod(next);
  };

  return (
    <div className={styles.own}>
      <Legend candle={candle} interval={history?.interval ?? DAY} />
      <ChartPeriods chosen={period} onChoose={choose} />
      <div className={styles.canvas} aria-busy={state.isLoading}>
        {!history || !span || history.candles.length < MIN_CANDLES ? (
          <NoChart coin={coin} period={period} state={state} onChoose={choose} />
        ) : isTable ? (
          <ChartTable name={coin.name} history={history} />
        ) : (
          <LateCandleChart
            // The axis of hours differs from that of days.
            key={history.interval}
            candles={drawn}
            format={shownMoney()?.own}
            count={history.candles.length}
            step={history.interval}
            label={chartLabel(coin.name, history.interval, span)}
            onPoint={(at) => setPointed(at && originalOf(at))}
            lines={lines}
            compared={other && compared.data?.interval === history.interval ? compared.data.candles : undefined}
            speak={(at) => speak(originalOf(at) ?? at, history.interval)}
            otherwise="Its figures are below."
          />
        )}
      </div>
      <div className={styles.tools}>
        <ComparedCoin coin={coin} value={other} onChange={setOther} />
        <Button variant="secondary" className={styles.tool} aria-pressed={isTable} onClick={() => setTable(!isTable)}>
          Table
        </Button>
      </div>
      <ChartSummary
        span={span}
        interval={history?.interval ?? DAY}
        other={other && { ...other, candles: compared.data?.candles, isLoading: compared.isLoading }}
      />
      <ChartSource state={state} history={span && history} />
    </div>
  );
}

/** Describes a candle in USD for screen readers. */
const speak = ({ time, open, high, low, close }: DailyCandle, interval: number) =>
  `${formatCandleTime(time, interval)}: close ${formatPrice(close)}, open ${formatPrice(open)}, high ${formatPrice(high)}, low ${formatPrice(low)}`;

/** Converts candles from USD, so that the axis has round prices of the display currency. */
function inShownMoney(candles: readonly DailyCandle[]): readonly DailyCandle[] {
  const rate = shownMoney()?.rate;
  if (rate === undefined) return candles;
  return candles.map((candle) => ({
    ...candle,
    open: candle.open * rate,
    high: candle.high * rate,
    low: candle.low * rate,
    close: candle.close * rate,
  }));
}
