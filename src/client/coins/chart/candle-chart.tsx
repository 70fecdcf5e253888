import { useEffect, useRef } from 'react';
import type { DailyCandle } from '#contract/market/chart-candles.ts';
import styles from './candle-chart.module.css';
import { ChartCursor } from './chart-cursor.tsx';
import { type ChartScale, type DrawnCandles, drawCandles } from './draw-candles.ts';
import type { Overlays } from './overlays.ts';

export interface CandleChartProps extends Overlays, ChartScale {
  /** Oldest first, two or more. */
  candles: readonly DailyCandle[];
  /** How many of the last candles are in view at first. */
  count: number;
  /** Description of the chart for screen readers. */
  label: string;
  /** Called with the candle under the crosshair; undefined when there is none. */
  onPoint: (candle: DailyCandle | undefined) => void;
  /** Another coin's candles, drawn as a line in percent. */
  compared?: readonly DailyCandle[] | undefined;
  /** Describes a candle for screen readers. With it, arrow keys move a cursor over the candles. */
  speak?: ((candle: DailyCandle) => string) | undefined;
}

/** Draws candles that fill the surrounding box. Load it lazily: it imports a chart library. */
export function CandleChart({ candles, count, label, onPoint, step, format, compared, speak, levels, lines, marks }: CandleChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const drawn = useRef<DrawnCandles>(null);
  const pointed = useRef(onPoint);
  pointed.current = onPoint;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the scale never changes
  useEffect(() => {
    if (!box.current) return;
    const chart = drawCandles(box.current, (candle) => pointed.current(candle), { step, format });
    drawn.current = chart;
    return () => chart.remove();
  }, []);
  useEffect(() => drawn.current?.setCandles(candles), [candles]);
  useEffect(() => drawn.current?.setOverlays({ levels, lines, marks }), [levels, lines, marks]);
  useEffect(() => drawn.current?.setCompared(compared), [compared]);
  // A new price of the last candle must not move the view that the user dragged.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new candle moves the view
  useEffect(() => drawn.current?.showLast(count), [count, candles.length]);

  const picture = <div ref={box} className={styles.chart} role="img" aria-label={label} />;
  if (!speak) return picture;
  return (
    <div className={styles.readable}>
      {picture}
      <ChartCursor
        candles={candles}
        speak={speak}
        onMove={(index) => {
          drawn.current?.point(index);
          onPoint(index === undefined ? undefined : candles[index]);
        }}
      />
    </div>
  );
}
