import { type RefObject, useLayoutEffect, useRef } from 'react';

/**
 * Keeps the scroll position when earlier rows are added above. `first` is the `data-id` of the first row. Browsers do
 * this too, but not at the very top, and Safari never does.
 */
export function useKeepPlace(scroller: RefObject<HTMLElement | null>, first: string | undefined) {
  const before = useRef<{ first: string; top: number }>(undefined);
  useLayoutEffect(() => {
    const element = scroller.current;
    const topOf = (id: string) => {
      const row = element?.querySelector(`[data-id="${CSS.escape(id)}"]`);
      return element && row ? row.getBoundingClientRect().top - element.getBoundingClientRect().top + element.scrollTop : undefined;
    };
    const last = before.current;
    const moved = last && last.first !== first ? topOf(last.first) : undefined;
    if (element && last && moved !== undefined) element.scrollTop += moved - last.top;
    const top = first === undefined ? undefined : topOf(first);
    before.current = first === undefined || top === undefined ? undefined : { first, top };
  }, [scroller, first]);
}
