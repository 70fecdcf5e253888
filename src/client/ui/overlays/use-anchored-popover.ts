import { type RefObject, useLayoutEffect, useRef } from 'react';

/** px between the anchor and its popover, and between the popover and the window's edge. */
const GAP = 4;
const EDGE = 8;
/** px: under an anchor as wide as a form's field a popover is no wider; what is long breaks its line. */
const FIELD = 240;

/**
 * Lays a popover over the page under its anchor, or above it where there is more room, and keeps it there. With `end` it
 * grows from the anchor's right edge to the left.
 */
export function useAnchoredPopover(
  anchor: RefObject<HTMLElement | null>,
  side: 'start' | 'end' = 'start',
): RefObject<HTMLDivElement | null> {
  const popover = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    const box = popover.current;
    const button = anchor.current;
    if (!box || !button) return;
    // Safari before 17 has no popovers: there it is a fixed box like any other.
    box.showPopover?.();
    // Measured once: what filtering leaves of the list must not make it flip over.
    const wanted = box.offsetHeight + GAP + EDGE;
    const place = () => {
      const { clientWidth, clientHeight } = document.documentElement;
      const from = button.getBoundingClientRect();
      const below = clientHeight - from.bottom;
      const under = below >= wanted || below >= from.top;
      const left = side === 'start' ? from.left : from.right - Math.max(box.offsetWidth, from.width);
      Object.assign(box.style, {
        minWidth: `${from.width}px`,
        maxWidth: from.width < FIELD ? '' : `${from.width}px`,
        maxHeight: `min(var(--list-height), ${(under ? below : from.top) - GAP - EDGE}px)`,
        top: under ? `${from.bottom + GAP}px` : 'auto',
        bottom: under ? 'auto' : `${clientHeight - from.top + GAP}px`,
        left: `${Math.max(EDGE, Math.min(left, clientWidth - box.offsetWidth - EDGE))}px`,
      });
    };
    place();
    addEventListener('scroll', place, { capture: true, passive: true });
    addEventListener('resize', place);
    return () => {
      removeEventListener('scroll', place, { capture: true });
      removeEventListener('resize', place);
    };
  }, [anchor, side]);

  return popover;
}
