import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { copyProfile, startChromium } from '../browser/chromium-process.ts';
import type { Session } from '../browser/devtools.ts';
import { awaitWorker, NO_NETWORK, SLOW_4G, type VisitOptions, visit } from '../browser/visit.ts';
import type { LocalServer } from '../pages/page-server.ts';
import type { Workspace } from '../workspace.ts';
import type { Phase, Sample, Target } from './bars.ts';

export const CPU_SLOWDOWN = 4;

type Conditions = Pick<VisitOptions, 'slowdown' | 'network' | 'settleMs'>;

const CONDITIONS: Record<Phase, Conditions> = {
  cold: { slowdown: CPU_SLOWDOWN, network: SLOW_4G, settleMs: 5_000 },
  'first-visit': { slowdown: CPU_SLOWDOWN, network: SLOW_4G, settleMs: 5_000 },
  'offline-4x': { slowdown: CPU_SLOWDOWN, network: NO_NETWORK, settleMs: 2_000 },
  heap: { settleMs: 0 },
};

/** When the code of neighboring pages has loaded, ms after the first screen. */
const HEAP_SETTLE_MS = 5_000;

/** A page to visit, on the profile of its phase. */
export interface Subject extends Pick<VisitOptions, 'url' | 'selector' | 'isReact'> {
  target: Target;
  server: LocalServer;
  /** Profile to copy; a new one without it. */
  profile?: string;
}

/** Visits a page in a new browser process on a copy of its profile. */
export async function measure(
  workspace: Workspace,
  pin: string,
  phase: Phase,
  subject: Subject,
): Promise<Pick<Sample, 'figures' | 'moved'>> {
  const { url, selector, isReact, server } = subject;
  const profile = subject.profile ? copyProfile(workspace, subject.profile) : workspace.folder('profile');
  const browser = await startChromium(workspace, { profile, pin, offline: phase.startsWith('offline') });
  try {
    const page = await browser.page();
    const { scripts, moved, ...figures } = await visit(page, { url, selector, isReact, ...CONDITIONS[phase] });
    if (phase === 'heap') {
      const heapMb = await heapOf(page);
      await pause(HEAP_SETTLE_MS);
      return { figures: { heapMb, settledHeapMb: await heapOf(page), shift: figures.shift }, moved };
    }
    if (phase.startsWith('offline')) return { figures, moved };
    const scriptKb = scripts.reduce((sum, path) => sum + (server.sizes.get(path) ?? 0), 0) / 1000;
    return { figures: { ...figures, scriptKb }, moved };
  } finally {
    await browser.quit();
    rmSync(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

/** Returns the JavaScript heap of a page after a garbage collection, MB. */
async function heapOf(page: Session): Promise<number> {
  await page.send('HeapProfiler.collectGarbage');
  const { usedSize } = await page.send<{ usedSize: number }>('Runtime.getHeapUsage');
  return usedSize / 1e6;
}

/** Installs a reference page's worker on a new profile and visits the page again, so that it can store its screen. */
export async function installPage(workspace: Workspace, pin: string, page: Omit<VisitOptions, 'settleMs'>): Promise<string> {
  const profile = workspace.folder('installed');
  for (let visits = 0; visits < 2; visits++) {
    const browser = await startChromium(workspace, { profile, pin });
    try {
      const tab = await browser.page();
      await visit(tab, { ...page, settleMs: 2_000 });
      await awaitWorker(tab);
    } finally {
      await browser.quit();
    }
  }
  return profile;
}
