import { useId } from 'react';
import type { ChartPeriod } from '#contract/market/chart-candles.ts';
import { CHART_PERIODS } from '#contract/market/choices.ts';
import styles from './chart-periods.module.css';
import { PERIOD_NAMES } from './chart-texts.ts';

interface ChartPeriodsProps {
  chosen: ChartPeriod;
  onChoose: (period: ChartPeriod) => void;
}

/** Chooses the period of a chart. */
export function ChartPeriods({ chosen, onChoose }: ChartPeriodsProps) {
  const group = useId();
  return (
    <fieldset className={styles.periods}>
      <legend className="sr-only">Period of the chart</legend>
      {CHART_PERIODS.map((period) => (
        <label key={period} className={styles.period}>
          <input className="sr-only" type="radio" name={group} checked={period === chosen} onChange={() => onChoose(period)} />
          <span aria-hidden="true">{period === 'ALL' ? 'All' : period}</span>
          <span className="sr-only">{PERIOD_NAMES[period]}</span>
        </label>
      ))}
    </fieldset>
  );
}
