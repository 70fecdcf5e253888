import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/** Distance from the end that counts as the end, px. */
const NEAR = 24;

/**
 * Keeps a scroller at its end while the content grows, unless the user has scrolled up. A new `key` starts at the end
 * again; an undefined `key` starts at the top.
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

  // biome-ignore lint/correctness/useExhaustiveDependencies: toEnd changes identity with each render, not behavior
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
      // Only scrolling up stops following; growing content moves the end without the user.
      if (near || element.scrollTop < top) following.current = near;
      top = element.scrollTop;
      setAtEnd(following.current);
    };
    const resized = new ResizeObserver(() => (following.current ? toEnd() : scrolled()));
    toEnd();
    resized.observe(content);
    resized.observe(element); // for example when the composer grows or the keyboard opens
    element.addEventListener('scroll', scrolled, { passive: true });
    return () => {
      resized.disconnect();
      element.removeEventListener('scroll', scrolled);
    };
  }, [key]);

  return { atEnd, toEnd };
}
