import type { Page } from '@playwright/test';

/** A `layout-shift` entry, which only Chromium has. */
interface LayoutShift extends PerformanceEntry {
  hadRecentInput: boolean;
  sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
}

/** Notes each layout shift of the documents that the page opens from now on, except those that follow the user's own input. */
export const watchShifts = (page: Page) =>
  page.addInitScript(() => {
    const shifts: string[] = [];
    Object.assign(window, { shifts });
    const place = ({ x, y, width, height }: DOMRectReadOnly) => [x, y, width, height].map(Math.round).join(' ');
    const name = (node: Node | null) => (node instanceof Element ? `${node.localName}.${node.className} ` : '') + (node?.textContent ?? '');
    new PerformanceObserver((list) => {
      for (const { hadRecentInput, sources, startTime } of list.getEntries() as LayoutShift[]) {
        const moved = sources.map((source) => `${name(source.node)}: ${place(source.previousRect)} to ${place(source.currentRect)}`);
        if (!hadRecentInput) shifts.push(`${Math.round(startTime)} ms: ${moved.join(', ')}`);
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });

/** The shifts so far, with those of the frame that is being drawn: one line each, with what moved and where. */
export const shiftsOf = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    await new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))));
    return (window as unknown as { shifts: string[] }).shifts;
  });
