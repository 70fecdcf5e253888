import { useEffect, useRef } from 'react';

/** Calls `refresh` when `value` changes, but not at first. */
export function useRefreshOnChange(value: unknown, refresh: () => Promise<unknown>): void {
  const known = useRef(value);
  useEffect(() => {
    if (known.current !== value) void refresh();
    known.current = value;
  }, [value, refresh]);
}
