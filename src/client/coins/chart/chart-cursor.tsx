import { type KeyboardEvent, useEffect, useState } from 'react';
import type { DailyCandle } from '#contract/market/chart-candles.ts';
import styles from './chart-cursor.module.css';

interface ChartCursorProps {
  /** Oldest first. */
  candles: readonly DailyCandle[];
  speak: (candle: DailyCandle) => string;
  /** Called with the index of the candle under the cursor; undefined without a cursor. */
  onMove: (index: number | undefined) => void;
}

/** Screen readers hear a value only if the cursor rests this long, ms: a held key passes many. */
const SPOKEN_AFTER = 200;
const PAGE = 10;

/** Lets the keyboard read a chart: arrow keys, Page Up and Down, Home and End move a cursor, whose candle is spoken. */
export function ChartCursor({ candles, speak, onMove }: ChartCursorProps) {
  const last = candles.length - 1;
  const [index, setIndex] = useState<number>();
  const at = Math.min(index ?? last, last);
  const [spoken, setSpoken] = useState(at);
  useEffect(() => {
    const timer = setTimeout(() => setSpoken(at), SPOKEN_AFTER);
    return () => clearTimeout(timer);
  }, [at]);

  function move(next: number | undefined) {
    setIndex(next);
    onMove(next);
  }

  function byKey(event: KeyboardEvent) {
    const to = {
      ArrowLeft: at - 1,
      ArrowDown: at - 1,
      ArrowRight: at + 1,
      ArrowUp: at + 1,
      PageUp: at - PAGE,
      PageDown: at + PAGE,
      Home: 0,
      End: last,
    }[event.key];
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === 'Escape' && index !== undefined) move(undefined);
    else if (to === undefined) return;
    else move(Math.min(Math.max(to, 0), last));
    event.preventDefault();
  }

  const shown = Math.min(spoken, last);
  const candle = candles[shown];
  return (
    <div
      className={styles.cursor}
      role="slider"
      tabIndex={0}
      aria-label="Candle"
      aria-description="Use the arrow keys, Home and End."
      aria-valuemin={0}
      aria-valuemax={last}
      aria-valuenow={shown}
      aria-valuetext={candle && speak(candle)}
      onKeyDown={byKey}
      onFocus={() => move(at)}
      onBlur={() => move(undefined)}
    />
  );
}
