import { useEffect, useRef } from 'react';

/** Returns the last defined value, so that the screen keeps it while a newer one loads. */
export function useLast<T>(value: T | undefined): T | undefined {
  const last = useRef(value);
  useEffect(() => {
    if (value !== undefined) last.current = value;
  });
  return value ?? last.current;
}
