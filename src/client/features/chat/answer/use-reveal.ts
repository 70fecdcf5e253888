import { useEffect, useState } from 'react';
import type { Clock } from '#domain/clock.ts';

/** Pace of the typing reveal (spec §9). */
const MS_A_WORD = 100;

const wantsStillness = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/**
 * How many of `total` words to show: one more each 100 ms from the moment `active` is set, all of them otherwise, for
 * those who want no motion, and after `skip`. The time that passed decides, because hidden pages are woken rarely.
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
