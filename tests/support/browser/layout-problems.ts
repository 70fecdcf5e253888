import type { Page } from '@playwright/test';

/** Resolves once the page is drawn in its new size: a chart redraws in the frame after a resize. */
export const drawn = (page: Page): Promise<unknown> =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));

/** Returns what is wider than the page or its part, text that is cut, and targets that are too low for a finger; a line each. */
export function layoutProblems(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const FINGER = 43.5; // Smallest touch target, CSS pixels, minus rounding.
    const nameOf = (element: Element) =>
      `<${element.tagName.toLowerCase()} class="${element.getAttribute('class') ?? ''}"> "${element.textContent?.trim().slice(0, 40)}"`;
    const problems: string[] = [];
    const root = document.documentElement;
    if (root.scrollWidth > root.clientWidth) problems.push(`the page is ${root.scrollWidth - root.clientWidth} px too wide`);
    const isBounded = (element: Element) => getComputedStyle(element).overflowX !== 'visible';
    const isInBounds = (element: Element | null): boolean => element !== null && (isBounded(element) || isInBounds(element.parentElement));
    for (const element of document.querySelectorAll('main *, nav *, dialog *')) {
      const { width, height, left, right } = element.getBoundingClientRect();
      if (width <= 1 || height <= 1 || !element.textContent?.trim() || !element.checkVisibility({ visibilityProperty: true })) continue;
      const { overflowX, textOverflow } = getComputedStyle(element);
      const cuts = /hidden|clip/.test(overflowX) && textOverflow !== 'ellipsis';
      if (cuts && element.scrollWidth > element.clientWidth + 1) problems.push(`cut at the side: ${nameOf(element)}`);
      if (right > root.clientWidth + 1 && left < root.clientWidth && !isInBounds(element))
        problems.push(`over the right edge: ${nameOf(element)}`);
      if (element.matches('button, summary, nav a') && height < FINGER) problems.push(`${Math.round(height)} px high: ${nameOf(element)}`);
    }
    return problems;
  });
}
