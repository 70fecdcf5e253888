const TINT_MS = 600;

/** What is tinted, and until when (performance.now). */
const tinted = new Map<HTMLElement, number>();
let sweeping = false;

/**
 * Tints a figure's ground for a moment by the way it went (price.module.css; none where less motion is asked for).
 * One timer and no animation for all of them: a hundred figures may move ten times a second.
 */
export function tint(element: HTMLElement, way: 'up' | 'down'): void {
  if (element.dataset.tint !== way) element.dataset.tint = way;
  tinted.set(element, performance.now() + TINT_MS);
  if (sweeping) return;
  sweeping = true;
  setTimeout(untint, TINT_MS);
}

function untint() {
  const now = performance.now();
  let next = Number.POSITIVE_INFINITY;
  for (const [element, until] of tinted) {
    if (until > now) {
      next = Math.min(next, until);
    } else {
      delete element.dataset.tint;
      tinted.delete(element);
    }
  }
  sweeping = tinted.size > 0;
  if (sweeping) setTimeout(untint, next - now);
}
