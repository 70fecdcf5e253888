import { useEffect, useRef } from 'react';

/** The last thing there was to show, while there is nothing newer. */
export function useLast<T>(value: T | undefined): T | undefined {
  const last = useRef(value);
  useEffect(() => {
    if (value !== undefined) last.current = value;
  });
  return value ?? last.current;
}
