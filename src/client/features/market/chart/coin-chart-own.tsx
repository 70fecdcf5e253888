import { useId, useState } from 'react';
import { ChartCredit } from '#client/coins/chart/chart-credit.tsx';
import { LateCandleChart } from '#client/coins/chart/late-candle-chart.tsx';
import { Change } from '#client/coins/price.tsx';
import type { DailyCandle, DailyCandles } from '#contract/market/chart-candles.ts';
import { dayOf } from '#domain/clock.ts';
import { formatSignedPercent, formatUsd } from '#domain/format/format-number.ts';
import styles from './coin-chart-own.module.css';
import { type ChartPeriod, type ChartSpan, chartSpan, offeredPeriods } from './coin-chart-periods.ts';

const OPENS_WITH = '3M';
const day = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });

/** Draws the stored candles of a coin, and describes them in text. */
export function OwnChart({ history: { candles, source }, name }: { history: DailyCandles; name: string }) {
  const periods = offeredPeriods(candles.length);
  const [chosen, setChosen] = useState<ChartPeriod['label']>(OPENS_WITH);
  const period = periods.find(({ label }) => label === chosen) ?? periods.at(-1);
  const [pointed, setPointed] = useState<DailyCandle>();
  const days = period?.days ?? candles.length;
  const span = chartSpan(candles, days);
  const candle = pointed ?? candles.at(-1);
  if (!span || !candle) return null;

  return (
    <div className={styles.own}>
      <Legend candle={candle} />
      {periods.length > 1 && <Periods periods={periods} chosen={period} onChoose={setChosen} />}
      <div className={styles.canvas}>
        <LateCandleChart
          candles={candles}
          count={days}
          label={chartLabel(name, span)}
          onPoint={setPointed}
          otherwise="Its figures are below."
        />
      </div>
      <Span span={span} />
      <p className={styles.source}>
        Daily, UTC · {source}
        <ChartCredit />
      </p>
    </div>
  );
}

interface PeriodsProps {
  periods: readonly ChartPeriod[];
  chosen: ChartPeriod | undefined;
  onChoose: (label: ChartPeriod['label']) => void;
}

function Periods({ periods, chosen, onChoose }: PeriodsProps) {
  const group = useId();
  return (
    <fieldset className={styles.periods}>
      <legend className="sr-only">Period of the chart</legend>
      {periods.map(({ label, name }) => (
        <label key={label} className={styles.period}>
          <input className="sr-only" type="radio" name={group} checked={label === chosen?.label} onChange={() => onChoose(label)} />
          <span aria-hidden="true">{label}</span>
          <span className="sr-only">{name}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** Shows the prices of the day under the crosshair, or of the last day. */
const Legend = ({ candle: { time, open, high, low, close } }: { candle: DailyCandle }) => (
  <>
    <p className={styles.day}>
      <time dateTime={dayOf(time)}>{day.format(time)}</time>
      <Change value={open > 0 ? (close / open - 1) * 100 : undefined} />
    </p>
    <dl className={styles.prices}>
      {Object.entries({ Open: open, High: high, Low: low, Close: close }).map(([label, price]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{formatUsd(price)}</dd>
        </div>
      ))}
    </dl>
  </>
);

const Span = ({ span: { from, to, high, low, change, gap } }: { span: ChartSpan }) => (
  <p className={styles.span}>
    {day.formatRange(from, to)}: low {formatUsd(low)}, high {formatUsd(high)}
    {change !== undefined && `, ${formatSignedPercent(change)}`}.
    {gap && ` No data between ${day.format(gap.after)} and ${day.format(gap.before)}.`}
  </p>
);

const chartLabel = (name: string, { from, to, high, low, close }: ChartSpan): string =>
  `Daily candles of ${name} in USD, ${day.format(from)} to ${day.format(to)}: last close ${formatUsd(close)}, low ${formatUsd(low)}, high ${formatUsd(high)}.`;
