/** Distance from the edge at which the list scrolls, px. */
const EDGE = 72;
/** Fastest scrolling, px a frame. */
const MAX_SPEED = 14;

/** Returns what scrolls around an element: its pane, or the page. */
export function scrollerOf(element: Element): Element {
  const pane = element.closest('[data-pane]');
  const scrolls = pane && /auto|scroll/.test(getComputedStyle(pane).overflowY);
  return scrolls ? pane : (document.scrollingElement ?? document.documentElement);
}

/** Scrolls while the pointer at `readY`, px of the viewport, is near an edge. Returns a function that stops it. */
export function autoScroll(scroller: Element, readY: () => number, onScrolled: () => void): () => void {
  const isPage = scroller === document.scrollingElement;
  let frame = requestAnimationFrame(step);
  function step() {
    const { top, bottom } = isPage ? { top: 0, bottom: innerHeight } : scroller.getBoundingClientRect();
    const y = readY();
    const speed = y < top + EDGE ? y - top - EDGE : y > bottom - EDGE ? y - bottom + EDGE : 0;
    const before = scroller.scrollTop;
    scroller.scrollTop += Math.max(-MAX_SPEED, Math.min(MAX_SPEED, speed / 4));
    if (scroller.scrollTop !== before) onScrolled();
    frame = requestAnimationFrame(step);
  }
  return () => cancelAnimationFrame(frame);
}
