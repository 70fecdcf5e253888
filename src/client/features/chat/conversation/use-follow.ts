import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/** This close to the end counts as the end, px. */
const NEAR = 24;

/**
 * Keeps a scroller at its end while what it shows grows, but only for as long as the reader is there
 * (failure mode 24). `key` names what is shown: something else begins at its end again; undefined is read from its start.
 */
export function useFollow(scroller: RefObject<HTMLElement | null>, key: string | undefined): { atEnd: boolean; toEnd: () => void } {
  const [atEnd, setAtEnd] = useState(true);
  const following = useRef(true);

  const toEnd = () => {
    const element = scroller.current;
    if (!element) return;
    following.current = true;
    element.scrollTop = element.scrollHeight;
    setAtEnd(true);
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: toEnd is new at each render and does the same
  useLayoutEffect(() => {
    const element = scroller.current;
    const content = element?.firstElementChild;
    if (!element || !content) return;
    if (key === undefined) {
      element.scrollTop = 0;
      return;
    }
    let top = 0;
    const scrolled = () => {
      const near = element.scrollHeight - element.clientHeight - element.scrollTop <= NEAR;
      // Only the reader scrolls up; that the end has moved away since it was scrolled to is no reason to stay behind.
      if (near || element.scrollTop < top) following.current = near;
      top = element.scrollTop;
      setAtEnd(following.current);
    };
    const resized = new ResizeObserver(() => (following.current ? toEnd() : scrolled()));
    toEnd();
    resized.observe(content);
    resized.observe(element); // the composer grows, the keyboard opens
    element.addEventListener('scroll', scrolled, { passive: true });
    return () => {
      resized.disconnect();
      element.removeEventListener('scroll', scrolled);
    };
  }, [key]);

  return { atEnd, toEnd };
}
