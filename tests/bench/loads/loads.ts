import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { chromiumArgs, findChromium } from '#tests/support/browser/chromium.mjs';
import { ask, signUp } from '#tests/support/browser/main-path.ts';
import { startApp } from '#tests/support/processes/app.ts';
import { backtestBench } from './backtest.ts';
import { longChatBench } from './long-chat.ts';
import { marketListBench } from './market-list.ts';
import { peakMb } from './memory.ts';
import { searchBench } from './search.ts';
import { ticks } from './ticks.ts';

/** Allowed memory of the server, MB. */
const MAX_SERVER_MB = 300;

/** Measures the server and long lists. Returns lines to print. */
export async function loadsBench(): Promise<string[]> {
  const list = await marketListBench();
  const profile = mkdtempSync(join(tmpdir(), 'tidemark-bench-'));
  const app = await startApp();
  const executablePath = findChromium();
  const context = await chromium.launchPersistentContext(profile, {
    ...(executablePath && { executablePath }),
    args: chromiumArgs,
    viewport: { width: 390, height: 844 },
  });
  try {
    const page = await context.newPage();
    await signUp(page, app, { firstName: 'Ada', lastName: 'Byron', email: 'ada@example.com', password: 'Secret1!' });
    await ask(page, app, 'How is Bitcoin doing?');
    await page.goto('about:blank');

    const moving = await ticks(context);
    const searching = await searchBench(context, app.url);
    const chatting = await longChatBench(context, app.url);
    const serverMb = app.pid === undefined ? Number.NaN : peakMb(app.pid);
    const verdict = serverMb <= MAX_SERVER_MB ? 'within' : 'OVER';
    return [
      `Server memory, peak through first start and main path: ${serverMb.toFixed(0)} MB (${verdict} ${MAX_SERVER_MB})`,
      moving,
      searching,
      ...chatting,
      ...list,
      backtestBench(),
    ];
  } finally {
    await context.close();
    await app.remove();
    rmSync(profile, { recursive: true, force: true });
  }
}
