import { useEffect, useState } from 'react';
import type { Clock } from '#domain/clock.ts';

/** Pace of the reveal. */
const MS_A_WORD = 100;

const wantsStillness = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/**
 * Returns how many of `total` words to show: one more every 100 ms while `active`. Shows all words if not active, if the
 * user prefers reduced motion, and after `skip`. Uses elapsed time, because browsers throttle timers of hidden pages.
 */
export function useReveal(total: number, active: boolean, clock: Clock = Date.now): { shown: number; done: boolean; skip: () => void } {
  const [skipped, setSkipped] = useState(wantsStillness);
  const [shown, setShown] = useState(0);
  const typing = active && !skipped && shown < total;

  useEffect(() => {
    if (!typing) return;
    const start = clock();
    const timer = setInterval(() => setShown(Math.floor((clock() - start) / MS_A_WORD)), MS_A_WORD);
    return () => clearInterval(timer);
  }, [typing, clock]);

  return { shown: typing ? shown : total, done: !typing, skip: () => setSkipped(true) };
}
