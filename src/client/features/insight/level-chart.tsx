import { lazy, Suspense, useState } from 'react';
import { Skeleton } from '#client/ui/feedback/skeleton.tsx';
import type { Indicator, Timeframe } from '#contract/market/indicator.ts';
import type { DailyCandle } from '#contract/market/market.ts';
import { instrumentName } from '#domain/bots/instrument.ts';
import { DAY, HOUR, MINUTE } from '#domain/clock.ts';
import { formatUsd } from '#domain/format/format-number.ts';
import styles from './level-chart.module.css';

// Lazy: the chart library is the largest code here. If it fails to load, the list of levels remains.
const CandleChart = lazy(() =>
  import('#client/coins/chart/candle-chart.tsx').then(
    ({ CandleChart }) => ({ default: CandleChart }),
    () => ({ default: () => <p className={styles.unavailable}>The chart could not be loaded. Its levels are below.</p> }),
  ),
);

const LENGTH: Record<Timeframe, number> = { '15m': 15 * MINUTE, '1h': HOUR, '4h': 4 * HOUR, '1d': DAY };
/** Candles shown at first. */
const IN_VIEW = 120;

const time = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

/** Draws BTC's candles with the levels across them. */
export function LevelChart({ indicator: { candles, levels, timeframe, speed } }: { indicator: Indicator }) {
  const [pointed, setPointed] = useState<DailyCandle>();
  const candle = pointed ?? candles.at(-1);
  const first = candles[0];
  if (!candle || !first) return null;
  const label = `Candles of ${instrumentName({ speed })} in USD, ${timeframe} each, from ${time.format(first.time)} UTC, with ${levels.length} levels.`;
  return (
    <div className={styles.drawing}>
      <p className={styles.legend}>
        <time dateTime={new Date(candle.time).toISOString()}>{time.format(candle.time)} UTC</time>
        <span>
          O {formatUsd(candle.open)} H {formatUsd(candle.high)} L {formatUsd(candle.low)} C {formatUsd(candle.close)}
        </span>
      </p>
      <div className={styles.chart}>
        <Suspense fallback={<Skeleton height="100%" radius="var(--radius-card)" />}>
          <CandleChart candles={candles} count={IN_VIEW} label={label} onPoint={setPointed} step={LENGTH[timeframe]} levels={levels} />
        </Suspense>
      </div>
    </div>
  );
}
