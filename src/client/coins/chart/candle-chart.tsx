import { useEffect, useRef } from 'react';
import type { DailyCandle } from '#contract/market/chart-candles.ts';
import styles from './candle-chart.module.css';
import { type DrawnCandles, drawCandles } from './draw-candles.ts';
import type { Overlays } from './overlays.ts';

export interface CandleChartProps extends Overlays {
  /** Oldest first, two or more. */
  candles: readonly DailyCandle[];
  /** How many of the last candles are in view at first. */
  count: number;
  /** Description of the chart for screen readers. */
  label: string;
  /** Called with the candle under the crosshair; undefined when there is none. */
  onPoint: (candle: DailyCandle | undefined) => void;
  /** Length of a candle, ms; a day by default. Later changes have no effect. */
  step?: number | undefined;
}

/** Draws candles that fill the surrounding box. Load it lazily: it imports a chart library. */
export function CandleChart({ candles, count, label, onPoint, step, levels, lines, marks }: CandleChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const drawn = useRef<DrawnCandles>(null);
  const pointed = useRef(onPoint);
  pointed.current = onPoint;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the length of a candle never changes
  useEffect(() => {
    if (!box.current) return;
    const chart = drawCandles(box.current, (candle) => pointed.current(candle), step);
    drawn.current = chart;
    return () => chart.remove();
  }, []);
  useEffect(() => drawn.current?.setCandles(candles), [candles]);
  useEffect(() => drawn.current?.setOverlays({ levels, lines, marks }), [levels, lines, marks]);
  // A new price of the last candle must not move the view that the user dragged.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new candle moves the view
  useEffect(() => drawn.current?.showLast(count), [count, candles.length]);

  return <div ref={box} className={styles.chart} role="img" aria-label={label} />;
}
