/** How much of the next screenful a stored screen has, as a share of the window. */
const MARGIN = 1.1;
/** Distance from the end that counts as the end, px. */
const NEAR = 24;

const isScroller = (element: Element): boolean => element.scrollHeight > element.clientHeight + 1 && element.clientHeight > 0;
const scrolls = (element: Element): boolean => /auto|scroll/.test(getComputedStyle(element).overflowY);

/** Returns whether the browser draws an element. One that it skips (content-visibility) is laid out by a question about its geometry. */
const isDrawn = (element: Element): boolean => element.checkVisibility?.({ contentVisibilityAuto: true }) ?? true;

/** Returns the scrolled parts of the page. */
export const scrolledParts = (root: Element): Element[] =>
  [...root.querySelectorAll('*')].filter((part) => isDrawn(part) && part.scrollTop > 0);

/** Returns whether a part is scrolled to its end, as conversations are. */
export const isAtEnd = (part: Element): boolean =>
  isScroller(part) && scrolls(part) && part.scrollHeight - part.clientHeight - part.scrollTop <= NEAR;

/** Returns whether the user sees an element without scrolling. */
export function isInView(element: Element): boolean {
  if (!isDrawn(element)) return false;
  const { top, bottom, width } = element.getBoundingClientRect();
  return width > 0 && bottom > 0 && top < innerHeight;
}

/**
 * Returns which elements a stored screen leaves out: those below the fold, those that are not rendered, and those above
 * the visible end of a part that is `atEnd`.
 */
export function outsideFirstScreen(atEnd: readonly Element[]): (element: Element) => boolean {
  const fold = innerHeight * MARGIN;
  const starts = atEnd.map((part) => ({ part, top: part.getBoundingClientRect().top }));
  return (element) => {
    if (element.parentElement?.closest('svg')) return false; // a drawing is kept whole
    if (element.getClientRects().length === 0) return getComputedStyle(element).display !== 'contents';
    const { top, bottom } = element.getBoundingClientRect();
    return top >= fold || starts.some(({ part, top: start }) => part !== element && part.contains(element) && bottom <= start);
  };
}
