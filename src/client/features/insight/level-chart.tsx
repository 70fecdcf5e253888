import { useState } from 'react';
import { LateCandleChart } from '#client/coins/chart/late-candle-chart.tsx';
import { formatUtc } from '#client/ui/labels/format-utc.ts';
import type { DailyCandle } from '#contract/market/chart-candles.ts';
import type { Indicator, Timeframe } from '#contract/market/indicator.ts';
import { instrumentName } from '#domain/bots/instrument.ts';
import { DAY, HOUR, MINUTE } from '#domain/clock.ts';
import { formatUsd } from '#domain/format/format-number.ts';
import styles from './level-chart.module.css';

const LENGTH: Record<Timeframe, number> = { '15m': 15 * MINUTE, '1h': HOUR, '4h': 4 * HOUR, '1d': DAY };
/** Candles shown at first. */
const IN_VIEW = 120;

/** Draws BTC's candles with the levels across them. */
export function LevelChart({ indicator: { candles, levels, timeframe, speed } }: { indicator: Indicator }) {
  const [pointed, setPointed] = useState<DailyCandle>();
  const candle = pointed ?? candles.at(-1);
  const first = candles[0];
  if (!candle || !first) return null;
  const label = `Candles of ${instrumentName({ speed })} in USD, ${timeframe} each, from ${formatUtc(first.time)} UTC, with ${levels.length} levels.`;
  return (
    <div className={styles.drawing}>
      <p className={styles.legend}>
        <time dateTime={new Date(candle.time).toISOString()}>{formatUtc(candle.time)} UTC</time>
        <span>
          O {formatUsd(candle.open)} H {formatUsd(candle.high)} L {formatUsd(candle.low)} C {formatUsd(candle.close)}
        </span>
      </p>
      <div className={styles.chart}>
        <LateCandleChart
          candles={candles}
          count={IN_VIEW}
          label={label}
          onPoint={setPointed}
          step={LENGTH[timeframe]}
          levels={levels}
          otherwise="Its levels are below."
        />
      </div>
    </div>
  );
}
