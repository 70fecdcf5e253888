import { type ComponentType, lazy, Suspense } from 'react';
import { Skeleton } from '#client/ui/feedback/skeleton.tsx';
import type { CandleChartProps } from './candle-chart.tsx';
import styles from './late-candle-chart.module.css';

interface LateCandleChartProps extends CandleChartProps {
  /** Sentence that names the text which replaces a chart that cannot load. */
  otherwise: string;
}

// Lazy: the chart library is the largest code of the app.
const CandleChart = lazy<ComponentType<LateCandleChartProps>>(() =>
  import('./candle-chart.tsx').then(
    ({ CandleChart }) => ({ default: CandleChart }),
    () => ({ default: ({ otherwise }) => <p className={styles.unavailable}>The chart could not be loaded. {otherwise}</p> }),
  ),
);

/** A candle chart that loads its code when it is shown. It fills the surrounding box. */
export const LateCandleChart = (props: LateCandleChartProps) => (
  <Suspense fallback={<Skeleton height="100%" radius="var(--radius-card)" />}>
    <CandleChart {...props} />
  </Suspense>
);
