import { type RefObject, useLayoutEffect, useRef } from 'react';

/** Distances from the popover to its anchor and to the window's edge, px. */
const GAP = 4;
const EDGE = 8;
/** Anchors at least this wide (form fields) limit the popover's width; long lines wrap. px */
const FIELD = 240;

/**
 * Places a popover below its anchor, or above it if there is more room, and keeps it there. `end` aligns it with the
 * anchor's right edge.
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
    // Safari before 17 has no popovers: the element is a plain fixed box there.
    box.showPopover?.();
    // Measured once: filtering the list must not flip the popover to the other side.
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
