import { useEffect, useReducer } from 'react';

const MINUTE_MS = 60_000;

/** Returns the time, in ms, and rerenders the component every minute. */
export function useMinutes(clock: () => number = Date.now): number {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const timer = setInterval(redraw, MINUTE_MS);
    return () => clearInterval(timer);
  }, []);
  return clock();
}
