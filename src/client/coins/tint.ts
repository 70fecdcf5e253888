const TINT_MS = 600;

/** Tinted elements and when each tint ends (performance.now). */
const tinted = new Map<HTMLElement, number>();
let sweeping = false;

/**
 * Tints a figure's background for a moment (price.module.css; not with reduced motion). One timer serves all figures and
 * none is animated: a hundred may change ten times a second.
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
