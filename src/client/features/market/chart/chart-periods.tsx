import { Segments } from '#client/ui/fields/segments.tsx';
import type { ChartPeriod } from '#contract/market/chart-candles.ts';
import { CHART_PERIODS } from '#contract/market/choices.ts';
import styles from './chart-periods.module.css';
import { PERIOD_NAMES } from './chart-texts.ts';

const options = CHART_PERIODS.map((period) => ({
  value: period,
  label: period === 'ALL' ? 'All' : period,
  name: PERIOD_NAMES[period],
}));

interface ChartPeriodsProps {
  chosen: ChartPeriod;
  onChoose: (period: ChartPeriod) => void;
}

/** Chooses the period of a chart. */
export const ChartPeriods = ({ chosen, onChoose }: ChartPeriodsProps) => (
  <Segments className={styles.periods} label="Period of the chart" value={chosen} options={options} onChange={onChoose} />
);
