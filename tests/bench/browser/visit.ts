import { setTimeout as pause } from 'node:timers/promises';
import type { Session } from './devtools.ts';
import { BINDING, type Mark, probeScript } from './probe.ts';

/** Chromium's own preset: 562.5 ms of latency, 1.44 Mbit/s down, 0.675 Mbit/s up. In bytes per second. */
export const SLOW_4G = { offline: false, latency: 562.5, downloadThroughput: 180_000, uploadThroughput: 84_375 };
export const NO_NETWORK = { offline: true, latency: 0, downloadThroughput: 0, uploadThroughput: 0 };
/** The phone that Lighthouse emulates. */
export const PHONE = { width: 412, height: 823, deviceScaleFactor: 1.75, mobile: true };

/** Browser start-up work before the clock starts, ms. */
const DRAIN_MS = 1_000;
/** How long the first screen, and React after it, may take, ms. */
const VISIT_TIMEOUT_MS = 60_000;

export interface VisitOptions {
  url: string;
  /** Matches the elements of the first screen; undefined waits for the first paint. */
  selector: string | undefined;
  /** Whether React takes the first screen over. */
  isReact: boolean;
  /** Processor slowdown. */
  slowdown?: number;
  network?: typeof SLOW_4G;
  /** How long the page is observed after its first screen, ms. */
  settleMs: number;
}

/** One visit. Times are ms from the start of the navigation, NaN for what it did not wait for. */
export interface Visit {
  visible: number;
  firstPaint: number;
  /** React renders the first screen. NaN on a page without React. */
  takenOver: number;
  /** Layout shift of the whole visit, and the elements that moved. */
  shift: number;
  moved: string[];
  /** Paths of the scripts that had arrived when the first screen was visible. */
  scripts: string[];
}

interface Request {
  path: string;
  isScript: boolean;
  endedAt: number;
}

/**
 * Opens a page in a tab that shows nothing yet, and measures its first screen.
 * @throws when the navigation fails or the first screen does not come in time
 */
export async function visit(page: Session, options: VisitOptions): Promise<Visit> {
  const { url, selector, isReact, slowdown = 1, network, settleMs } = options;
  const marks = new Map<Mark['kind'], number>();
  const moved = new Set<string>();
  let shift = 0;
  let onMark = () => {};
  page.on<{ name: string; payload: string }>('Runtime.bindingCalled', ({ name, payload }) => {
    if (name !== BINDING) return;
    const { kind, at, score = 0, moved: element }: Mark = JSON.parse(payload);
    shift += score;
    if (element) moved.add(element);
    // A redirect inside the app starts a new document: the first document's start counts.
    if (!marks.has(kind)) marks.set(kind, at);
    onMark();
  });
  for (const domain of ['Page', 'Runtime', 'Network']) await page.send(`${domain}.enable`);
  const requests = watchRequests(page);
  await page.send('Runtime.addBinding', { name: BINDING });
  await page.send('Page.addScriptToEvaluateOnNewDocument', { source: probeScript(selector) });
  await page.send('Emulation.setDeviceMetricsOverride', PHONE);
  await page.send('Emulation.setTouchEmulationEnabled', { enabled: true });
  await page.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  if (network) await page.send('Network.emulateNetworkConditions', network);
  await pause(DRAIN_MS);

  const last = selector === undefined ? 'first-paint' : isReact ? 'taken-over' : 'visible';
  const reached = new Promise<void>((resolve) => {
    onMark = () => marks.has('first-paint') && marks.has(last) && resolve();
  });
  const { errorText } = await page.send<{ errorText?: string }>('Page.navigate', { url });
  if (errorText) throw new Error(`${url}: ${errorText}`);
  await inTime(reached, () => `${url}: no ${last} of ${selector ?? 'the page'} (reached: ${[...marks.keys()].join(', ')})`);
  await pause(settleMs);

  const at = (kind: Mark['kind']) => marks.get(kind) ?? Number.NaN;
  // The paint is stamped when the frame is presented, the probe's marks just after the frame's scripts.
  const visibleAt = Math.max(at('visible'), at('first-paint'));
  const scripts = requests().filter(({ isScript, endedAt }) => isScript && endedAt <= visibleAt);
  return {
    visible: visibleAt - at('origin'),
    firstPaint: at('first-paint') - at('origin'),
    takenOver: Math.max(at('taken-over'), visibleAt) - at('origin'),
    shift,
    moved: [...moved],
    scripts: [...new Set(scripts.map(({ path }) => path))],
  };
}

/** Waits until a worker is active on the tab's page, which has then cached the page's files. */
export async function awaitWorker(page: Session): Promise<void> {
  const isActive = await page.evaluate<boolean>(
    `Promise.race([navigator.serviceWorker.ready.then(() => true), new Promise((resolve) => setTimeout(resolve, ${VISIT_TIMEOUT_MS}, false))])`,
  );
  if (!isActive) throw new Error(`No worker became active within ${VISIT_TIMEOUT_MS / 1000} s`);
}

/** Records the tab's requests. The returned function returns those that have ended. */
function watchRequests(page: Session): () => Request[] {
  const requests = new Map<string, Request>();
  let clockOffset: number | undefined;
  interface Started {
    requestId: string;
    wallTime: number;
    timestamp: number;
    request: { url: string };
  }
  page.on<Started>('Network.requestWillBeSent', ({ requestId, wallTime, timestamp, request }) => {
    clockOffset ??= wallTime - timestamp;
    requests.set(requestId, { path: new URL(request.url).pathname, isScript: false, endedAt: Number.NaN });
  });
  page.on<{ requestId: string; response: { mimeType: string } }>('Network.responseReceived', ({ requestId, response }) => {
    const request = requests.get(requestId);
    if (request) request.isScript = /javascript/.test(response.mimeType);
  });
  page.on<{ requestId: string; timestamp: number }>('Network.loadingFinished', ({ requestId, timestamp }) => {
    const request = requests.get(requestId);
    if (request) request.endedAt = (timestamp + (clockOffset ?? 0)) * 1000;
  });
  return () => [...requests.values()].filter(({ endedAt }) => !Number.isNaN(endedAt));
}

async function inTime(work: Promise<void>, message: () => string): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${message()} within ${VISIT_TIMEOUT_MS / 1000} s`)), VISIT_TIMEOUT_MS);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
