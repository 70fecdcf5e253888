import { startTransition, useEffect, useState } from 'react';
import { afterTakeOver } from './first-screen/after-take-over.ts';
import { firstScreen } from './first-screen/first-screen.ts';
import { opensAtTop } from './router/places.ts';

interface Growth {
  /** Rows of the first frame: more than a phone shows. */
  first: number;
  /** Rows that each later frame adds: few enough that input never waits long. */
  step: number;
  /** Selects the list's rows on a stored screen. The first frame has as many, so that the app can take over. */
  rows?: string;
  /** Rows that the list gets later are added in steps, too. */
  later?: 'in-steps';
}

/**
 * Returns how many of `size` rows a long list renders: a screenful in the first frame, the rest later. A new `key`
 * starts over. A page that is restored below its top gets all rows at once.
 */
export function useGrowing(key: string | undefined, size: number, { first, step, rows, later }: Growth): number {
  const start = () =>
    opensAtTop() ? Math.max(first, (rows && firstScreen()?.querySelectorAll(rows).length) || 0) : Number.POSITIVE_INFINITY;
  const [grown, setGrown] = useState(() => ({ key, count: start() }));
  if (grown.key !== key) setGrown({ key, count: start() });
  const { count } = grown;
  useEffect(() => {
    if (count >= size) return;
    const next = later || count + step < size ? count + step : Number.POSITIVE_INFINITY;
    return afterTakeOver(() => startTransition(() => setGrown({ key, count: next })));
  }, [key, count, size, step, later]);
  return count;
}
