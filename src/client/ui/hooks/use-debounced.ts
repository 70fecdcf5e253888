import { useEffect, useState } from 'react';

/** `value` once it has stood still for `delay` ms. An emptied text counts at once: nobody waits to see everything again. */
export function useDebounced(value: string, delay = 300): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const end = setTimeout(() => setSettled(value), value ? delay : 0);
    return () => clearTimeout(end);
  }, [value, delay]);
  return value ? settled : '';
}
