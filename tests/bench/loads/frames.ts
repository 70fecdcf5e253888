import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { chromiumArgs, findChromium } from '#tests/support/browser/chromium.mjs';
import { newPerson, signUp } from '#tests/support/browser/main-path.ts';
import { startApp } from '#tests/support/processes/app.ts';
import { CPU_SLOWDOWN } from '../first-screen/measure.ts';
import { median } from '../median.ts';
import { EVERY_MS, ROWS, serveBareTable } from './ticks.ts';

const ROUNDS = 5;
/** What the page loads after its first screen has come, ms. */
const SETTLE_MS = 3_000;
const PHONE = { width: 390, height: 844 };
/** Height of the rows that a scroll passes, px, and its speed, px a second. */
const [DISTANCE, SPEED] = [3_000, 1_200];

/** Returns the share of frames that a page misses while a finger scrolls it down and up again, of 60 a second. */
async function missedFrames(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  const counting = page.evaluate(
    () =>
      new Promise<{ frames: number; ms: number }>((resolve) => {
        let [first, frames] = [0, -1];
        const count = (at: number) => {
          first ||= at;
          frames++;
          if (document.documentElement.dataset.scrolled === undefined) requestAnimationFrame(count);
          else resolve({ frames, ms: at - first });
        };
        requestAnimationFrame(count);
      }),
  );
  for (const yDistance of [-DISTANCE, DISTANCE]) {
    const gesture = { x: PHONE.width / 2, y: PHONE.height / 2, yDistance, speed: SPEED, gestureSourceType: 'touch' } as const;
    await session.send('Input.synthesizeScrollGesture', gesture);
  }
  await page.evaluate(() => {
    document.documentElement.dataset.scrolled = '';
  });
  const { frames, ms } = await counting;
  await session.detach();
  return 1 - frames / ((ms * 60) / 1000);
}

/** Compares scrolling the market list, with ten updates of every row a second, with scrolling a bare table of the same. */
export async function framesBench(): Promise<string[]> {
  const profile = mkdtempSync(join(tmpdir(), 'tidemark-bench-'));
  const app = await startApp({ MARKET_TICK_MS: String(EVERY_MS) });
  const bare = await serveBareTable();
  const executablePath = findChromium();
  const options = { ...(executablePath && { executablePath }), args: chromiumArgs, viewport: PHONE, hasTouch: true };
  const context = await chromium.launchPersistentContext(profile, options);
  try {
    const page = await context.newPage();
    await signUp(page, app, newPerson());
    const [ours, least]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round++) {
      await page.goto(`${app.url}/crypto`);
      await page
        .getByRole('list', { name: 'Coins' })
        .getByRole('listitem')
        .nth(ROWS - 1)
        .waitFor({ state: 'attached' });
      await page.waitForTimeout(SETTLE_MS);
      ours.push(await missedFrames(page));
      await page.goto(bare.url);
      least.push(await missedFrames(page));
    }
    const [app4, table] = [median(ours), median(least)];
    const percent = (share: number) => `${(share * 100).toFixed(1)}%`;
    return [
      `Frames missed while ${ROWS} rows scroll and move ${1000 / EVERY_MS} times a second, processor ÷ ${CPU_SLOWDOWN}: ${percent(app4)}, ` +
        `a bare table ${percent(table)} (${app4 <= table ? 'within' : 'OVER'})`,
    ];
  } finally {
    await context.close();
    bare.close();
    await app.remove();
    rmSync(profile, { recursive: true, force: true });
  }
}
