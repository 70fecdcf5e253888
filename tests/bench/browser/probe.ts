/** Name of the function through which the probe reports. */
export const BINDING = 'reportToBench';

/** What the probe reports. Times are wall-clock ms. */
export interface Mark {
  kind: 'origin' | 'first-paint' | 'shift' | 'visible' | 'taken-over';
  at: number;
  /** Score of a layout shift, and the element that moved most. */
  score?: number;
  moved?: string;
}

/** A `layout-shift` entry, which only Chromium has. */
interface LayoutShift extends PerformanceEntry {
  value: number;
  hadRecentInput: boolean;
  sources: { node: Node | null }[];
}

/** Runs in each new document before its own scripts, as text: it may use nothing from outside. */
function watchFirstScreen(selector: string | undefined, binding: string) {
  if (window !== top || location.protocol === 'about:') return;
  const origin = performance.timeOrigin;
  const report = (mark: Mark) => (window as unknown as Record<string, (text: string) => void>)[binding]?.(JSON.stringify(mark));
  report({ kind: 'origin', at: origin });

  const observe = (type: string, onEntry: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(onEntry)).observe({ type, buffered: true });
  observe('paint', ({ name, startTime }) => {
    if (name === 'first-contentful-paint') report({ kind: 'first-paint', at: origin + startTime });
  });
  observe('layout-shift', (entry) => {
    const { startTime, value, hadRecentInput, sources } = entry as LayoutShift;
    const [moved] = sources.map(({ node }) => (node instanceof Element ? node : node?.parentElement)).filter(Boolean);
    const name = moved ? `${moved.localName}.${moved.className}` : 'a removed element';
    if (!hadRecentInput) report({ kind: 'shift', at: origin + startTime, score: value, moved: name });
  });
  if (selector === undefined) return;

  // Style before geometry, and of one row: asking a row that the browser skips (content-visibility) lays it out.
  const isShown = (element: Element | undefined): element is Element =>
    element?.checkVisibility({ opacityProperty: true, visibilityProperty: true }) === true && element.getBoundingClientRect().height > 0;
  // React marks each element that it renders or adopts.
  const isReacts = (element: Element) => Object.keys(element).some((key) => key.startsWith('__reactFiber$'));
  const stages = [
    { kind: 'visible', isReached: ([row]: Element[]) => isShown(row) },
    { kind: 'taken-over', isReached: (rows: Element[]) => isShown(rows.find(isReacts)) },
  ] as const;
  // Chromium stamps the frame that first presents a marked element, as it does for paints: a message after the frame would wait
  // for the work that follows it.
  observe('element', (entry) => {
    const { renderTime } = entry as PerformanceEntry & { renderTime: number };
    report({ kind: 'visible', at: origin + renderTime });
  });
  const stamp = (row: Element) => {
    for (const part of [row, ...row.querySelectorAll('*')]) part.setAttribute('elementtiming', 'bench');
  };
  let reached = 0;
  const look = () => {
    const rows = [...document.querySelectorAll(selector)];
    for (let stage = stages[reached]; stage?.isReached(rows); stage = stages[++reached]) {
      const { kind } = stage;
      if (kind === 'visible') {
        rows.slice(0, 1).forEach(stamp);
        continue;
      }
      const { port1, port2 } = new MessageChannel();
      // A message is handled after the frame that this callback belongs to.
      port1.onmessage = () => report({ kind, at: origin + performance.now() });
      port2.postMessage(0);
    }
    if (reached < stages.length) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

/** Returns the probe as a script. `selector` matches the elements that the first screen is waited for; without it, paints are reported alone. */
export const probeScript = (selector: string | undefined) =>
  `(${watchFirstScreen.toString()})(${JSON.stringify(selector)}, ${JSON.stringify(BINDING)})`;
