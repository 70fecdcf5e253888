import { startTransition, useEffect, useState } from 'react';
import { afterFrame } from './after-frame.ts';
import { opensAtTop } from './router/places.ts';

interface Growth {
  /** Rows of the first frame: more than a phone shows. */
  first: number;
  /** Rows that each later frame adds: few enough that input never waits long. */
  step: number;
}

/**
 * Returns how many of `size` rows a long list renders: a screenful in the first frame after a tap, the rest behind it.
 * Another `key` starts again. The first page of a visit, which replaces a stored one, and a page that returns to a place
 * below its top get all rows at once.
 */
export function useGrowing(key: string | undefined, size: number, { first, step }: Growth): number {
  const start = () => (opensAtTop() ? first : Number.POSITIVE_INFINITY);
  const [grown, setGrown] = useState(() => ({ key, count: start() }));
  if (grown.key !== key) setGrown({ key, count: start() });
  const { count } = grown;
  useEffect(() => {
    if (count >= size) return;
    const next = count + step < size ? count + step : Number.POSITIVE_INFINITY;
    return afterFrame(() => startTransition(() => setGrown({ key, count: next })));
  }, [key, count, size, step]);
  return count;
}
