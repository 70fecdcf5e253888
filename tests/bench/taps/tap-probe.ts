/** What the probe puts into each page. */
export interface TapProbe {
  /** Begins a step: forgets earlier events, and waits for the next screen from the step's first input on. */
  begin(isNext?: (page: PageState) => boolean): void;
  /** The time from the input to the first frame with the next screen, ms. */
  next(): Promise<number>;
  /** The longest interaction of the step, ms. Interactions below the event timing's minimum count as that. */
  worst(): number;
  /** The center of an element, scrolled into view. */
  place(selector: string, text?: string): Promise<{ x: number; y: number }>;
  /** Resolves when the page has nothing to do. */
  idle(): Promise<void>;
}

/** Conditions that a step can ask for. */
export interface PageState {
  isAt(path: string): boolean;
  /** An element of the screen's own content is visible. */
  shows(selector: string, text?: string): boolean;
}

type EventEntry = PerformanceEventTiming & { interactionId: number };

/** Runs in each new document before its own scripts, as text: it may use nothing from outside. */
function installProbe(shortestMs: number, timeoutMs: number) {
  if (window !== top || location.protocol === 'about:') return;
  let inputAt = Number.NaN;
  let beganAt = 0;
  let worst = shortestMs;
  let shown: Promise<number> = Promise.resolve(Number.NaN);

  const take = (entries: PerformanceEntryList) => {
    for (const entry of entries as EventEntry[])
      if (entry.interactionId > 0 && entry.startTime >= beganAt) worst = Math.max(worst, entry.duration);
  };
  const observer = new PerformanceObserver((list) => take(list.getEntries()));
  observer.observe({ type: 'event', durationThreshold: shortestMs } as PerformanceObserverInit);
  for (const type of ['pointerup', 'keydown'])
    addEventListener(
      type,
      (event) => {
        if (Number.isNaN(inputAt)) inputAt = event.timeStamp;
      },
      true,
    );

  const isShown = (element: Element) =>
    element.getBoundingClientRect().height > 0 && element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const find = (selector: string, text = '') =>
    [...document.querySelectorAll(selector)].find((element) => element.textContent.includes(text) && isShown(element));
  const state: PageState = {
    isAt: (path) => location.pathname === path || (path.endsWith('/') && location.pathname.startsWith(path)),
    shows: (selector, text) => find(selector, text) !== undefined,
  };
  /** Resolves after the frame to which the current callback belongs. */
  const afterFrame = () =>
    new Promise<void>((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => resolve();
      port2.postMessage(0);
    });

  const probe: TapProbe = {
    begin(isNext) {
      observer.takeRecords();
      beganAt = performance.now();
      inputAt = Number.NaN;
      worst = shortestMs;
      shown = isNext
        ? new Promise((resolve, reject) => {
            const look = async () => {
              if (performance.now() - beganAt > timeoutMs) return reject(new Error(`no next screen: ${isNext}`));
              if (Number.isNaN(inputAt) || !isNext(state)) return requestAnimationFrame(look);
              await afterFrame();
              resolve(performance.now() - inputAt);
            };
            requestAnimationFrame(look);
          })
        : Promise.resolve(Number.NaN);
    },
    next: () => shown,
    worst() {
      take(observer.takeRecords());
      return worst;
    },
    async place(selector, text) {
      const until = performance.now() + timeoutMs;
      for (let element = find(selector, text); performance.now() < until; element = find(selector, text)) {
        if (element) {
          element.scrollIntoView({ block: 'nearest', inline: 'center' });
          const { left, top, width, height } = element.getBoundingClientRect();
          return { x: left + width / 2, y: top + height / 2 };
        }
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
      throw new Error(`no ${selector} ${text ?? ''}`);
    },
    idle: () => new Promise((resolve) => requestIdleCallback(() => resolve(), { timeout: timeoutMs })),
  };
  Object.assign(window, { taps: probe });
}

/** The shortest interaction that browsers report, ms. */
const SHORTEST_MS = 16;
/** The longest wait for an element or a screen, ms. */
const NEXT_SCREEN_TIMEOUT_MS = 20_000;

export const TAP_PROBE = `(${installProbe.toString()})(${SHORTEST_MS}, ${NEXT_SCREEN_TIMEOUT_MS})`;
