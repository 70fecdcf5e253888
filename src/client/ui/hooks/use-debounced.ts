import { useEffect, useState } from 'react';

/** Returns `value` after it has not changed for `delay` ms. An empty text takes effect at once. */
export function useDebounced(value: string, delay = 300): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const end = setTimeout(() => setSettled(value), value ? delay : 0);
    return () => clearTimeout(end);
  }, [value, delay]);
  return value ? settled : '';
}
