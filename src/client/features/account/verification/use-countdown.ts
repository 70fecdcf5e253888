import { useEffect, useState } from 'react';

/** ms. Short enough to show every second. */
const TICK = 250;

/**
 * Returns the whole seconds until `endsAt` (ms UTC), never less than 0. Computed from the clock on each tick, so that
 * a tab that was suspended is right when it wakes.
 */
export function useCountdown(endsAt: number): number {
  const [seconds, setSeconds] = useState(() => secondsUntil(endsAt));
  useEffect(() => {
    const update = () => setSeconds(secondsUntil(endsAt));
    update();
    const tick = setInterval(update, TICK);
    document.addEventListener('visibilitychange', update);
    return () => {
      clearInterval(tick);
      document.removeEventListener('visibilitychange', update);
    };
  }, [endsAt]);
  return seconds;
}

const secondsUntil = (endsAt: number) => Math.max(0, Math.ceil((endsAt - Date.now()) / 1_000));
