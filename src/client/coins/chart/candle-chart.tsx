import { useEffect, useRef } from 'react';
import type { DailyCandle } from '#contract/market/market.ts';
import styles from './candle-chart.module.css';
import { type DrawnCandles, type DrawnLevel, drawCandles } from './draw-candles.ts';

interface CandleChartProps {
  /** Oldest first, two or more. */
  candles: readonly DailyCandle[];
  /** How many of the last ones are in view at first. */
  count: number;
  /** What the picture shows, for those who do not see it. */
  label: string;
  /** The day under the crosshair; undefined when there is none. */
  onPoint: (candle: DailyCandle | undefined) => void;
  /** Length of a candle, ms; a day unless told. The chart keeps the first one it is given. */
  step?: number | undefined;
  /** Prices to mark. */
  levels?: readonly DrawnLevel[] | undefined;
}

/** Candles in the box around it. Load it late: it brings a chart library. */
export function CandleChart({ candles, count, label, onPoint, step, levels }: CandleChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const drawn = useRef<DrawnCandles>(null);
  const hear = useRef(onPoint);
  hear.current = onPoint;

  // biome-ignore lint/correctness/useExhaustiveDependencies: a chart has one length of candle for good
  useEffect(() => {
    if (!box.current) return;
    const chart = drawCandles(box.current, (candle) => hear.current(candle), step);
    drawn.current = chart;
    return () => chart.remove();
  }, []);
  useEffect(() => drawn.current?.setCandles(candles), [candles]);
  useEffect(() => drawn.current?.setLevels(levels ?? []), [levels]);
  // A newer last price leaves the view where it was dragged to.
  // biome-ignore lint/correctness/useExhaustiveDependencies: one more candle moves the view
  useEffect(() => drawn.current?.showLast(count), [count, candles.length]);

  return <div ref={box} className={styles.chart} role="img" aria-label={label} />;
}
