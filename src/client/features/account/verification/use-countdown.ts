import { useEffect, useState } from 'react';

/** ms; often enough that no second is skipped. */
const TICK = 250;

/**
 * Whole seconds left until `endsAt` (ms UTC), 0 from then on. It counts from the end, not by ticks, so that a tab
 * that slept shows the truth when it wakes.
 */
export function useCountdown(endsAt: number): number {
  const [seconds, setSeconds] = useState(() => secondsUntil(endsAt));
  useEffect(() => {
    const look = () => setSeconds(secondsUntil(endsAt));
    look();
    const tick = setInterval(look, TICK);
    document.addEventListener('visibilitychange', look);
    return () => {
      clearInterval(tick);
      document.removeEventListener('visibilitychange', look);
    };
  }, [endsAt]);
  return seconds;
}

const secondsUntil = (endsAt: number) => Math.max(0, Math.ceil((endsAt - Date.now()) / 1_000));
