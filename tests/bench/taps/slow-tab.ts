import { setTimeout as pause } from 'node:timers/promises';
import type { Chromium } from '../browser/chromium-process.ts';
import type { Session } from '../browser/devtools.ts';
import { PHONE } from '../browser/visit.ts';
import { CPU_SLOWDOWN } from '../first-screen/measure.ts';
import { TAP_PROBE } from './tap-probe.ts';
import type { Step } from './tap-steps.ts';

/** How long a page is left alone after it has shown its content: it loads what taps need, ms. */
const SETTLE_MS = 6_000;
/** Between two inputs, ms. */
const STEP_MS = 700;
/** Between two keys, ms. */
const KEY_MS = 120;

/** What one input took. */
export interface TapSample {
  step: string;
  /** The longest interaction, from the input to the frame that shows its effect, ms. */
  interaction: number;
  /** From the input to the first frame with the next screen's content, ms; NaN without a next screen. */
  next: number;
}

/** Opens a slow phone's tab with the probe. */
export async function slowTab(browser: Chromium, slowdown = CPU_SLOWDOWN): Promise<Session> {
  const page = await browser.page();
  for (const domain of ['Page', 'Runtime', 'Network']) await page.send(`${domain}.enable`);
  await page.send('Page.addScriptToEvaluateOnNewDocument', { source: TAP_PROBE });
  await page.send('Emulation.setDeviceMetricsOverride', PHONE);
  await page.send('Emulation.setTouchEmulationEnabled', { enabled: true });
  // A phone's page has the focus from the start. Otherwise the first tap brings it, and the app asks for all figures again.
  await page.send('Emulation.setFocusEmulationEnabled', { enabled: true });
  await page.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  return page;
}

/** Opens an address and waits until it has nothing to do. */
export async function open(page: Session, url: string, selector: string): Promise<void> {
  const loaded = new Promise<void>((resolve) => page.on('Page.loadEventFired', () => resolve()));
  const { errorText } = await page.send<{ errorText?: string }>('Page.navigate', { url });
  if (errorText) throw new Error(`${url}: ${errorText}`);
  await loaded;
  await page.evaluate(`taps.place(${JSON.stringify(selector)})`);
  await pause(SETTLE_MS);
  await page.evaluate('taps.idle()');
}

async function act(page: Session, step: Step): Promise<void> {
  if ('type' in step.act) {
    for (const text of step.act.type) {
      const key = { key: text, text, unmodifiedText: text };
      await page.send('Input.dispatchKeyEvent', { type: 'keyDown', ...key });
      await page.send('Input.dispatchKeyEvent', { type: 'keyUp', key: text });
      await pause(KEY_MS);
    }
    return;
  }
  const { tap, text } = step.act;
  const point = await page.evaluate<{ x: number; y: number }>(`taps.place(${JSON.stringify(tap)}, ${JSON.stringify(text ?? '')})`);
  await page.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [point] });
  await page.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}

/** Takes the steps one after the other. */
export async function take(page: Session, steps: readonly Step[]): Promise<TapSample[]> {
  const samples: TapSample[] = [];
  for (const step of steps) {
    await page.evaluate(`taps.begin(${step.next ? `({ isAt, shows }) => ${step.next}` : ''})`);
    await act(page, step);
    const next = (await page.evaluate<number | null>('taps.next()')) ?? Number.NaN;
    await pause(STEP_MS);
    await page.evaluate('taps.idle()');
    const interaction = await page.evaluate<number>('taps.worst()');
    if (!step.isWay) samples.push({ step: step.name, interaction, next });
  }
  return samples;
}
