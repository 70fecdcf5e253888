import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium } from '@playwright/test';
import { chromiumArgs, findChromium } from '../support/browser/chromium.mjs';
import { ask, signUp } from '../support/browser/main-path.ts';
import { type RunningApp, startApp } from '../support/processes/app.ts';
import { backtestBench } from './backtest.ts';
import { serveBarePage } from './bare-page.ts';
import { longChatBench } from './long-chat.ts';
import { marketListBench } from './market-list.ts';
import { median } from './median.ts';
import { peakMb } from './memory.ts';
import { searchBench } from './search.ts';
import { ticks } from './ticks.ts';
import { makeCold, makeOfflineReady, visit } from './visit.ts';

const ROUNDS = 5;
/** Budgets: kB of JavaScript before the first route, MB of memory of the server. */
const LIMITS = { scriptKb: 120, serverMb: 300 };

const verdict = (value: number, limit: number) => (value <= limit ? 'within' : 'OVER');

/** Rounds of app and bare page in turn, so that a busy machine slows both. */
async function compare(name: string, measure: () => Promise<[app: number, bare: number]>): Promise<string> {
  const app: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const [ours, least] = await measure();
    app.push(ours);
    bare.push(least);
  }
  const [ours, least] = [median(app), median(bare)];
  return `${name}: ${ours.toFixed(0)} ms, a bare page ${least.toFixed(0)} ms, ratio ${(ours / least).toFixed(2)}`;
}

async function timings(context: BrowserContext, app: RunningApp): Promise<string[]> {
  const bare = await serveBarePage();
  const market = `${app.url}/crypto`;
  const throttled = true;
  try {
    const cold = await compare('Ready, cold, Slow 4G, processor ÷ 4', async () => {
      await makeCold(context, app.url);
      await makeCold(context, bare.url);
      return [(await visit(context, market, { throttled })).readyMs, (await visit(context, bare.url, { throttled })).readyMs];
    });
    await makeOfflineReady(context, market);
    await makeOfflineReady(context, bare.url);
    await app.stop();
    bare.close();
    await context.setOffline(true);
    const offline = await compare('Ready, offline cold start, processor ÷ 4', async () => [
      (await visit(context, market, { throttled, offline: true })).readyMs,
      (await visit(context, bare.url, { throttled, offline: true })).readyMs,
    ]);
    return [cold, offline];
  } finally {
    bare.close();
  }
}

/** Measures the main path. Returns lines to print. */
export async function bench(): Promise<string[]> {
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

    await makeCold(context, app.url);
    const { scriptKb, shift } = await visit(context, `${app.url}/crypto`);
    const moving = await ticks(context);
    const searching = await searchBench(context, app.url);
    const chatting = await longChatBench(context, app.url);
    const serverMb = app.pid === undefined ? Number.NaN : peakMb(app.pid);
    return [
      `JavaScript before the first rows of /crypto, signed in, cold: ${scriptKb.toFixed(1)} kB brotli (${verdict(scriptKb, LIMITS.scriptKb)} ${LIMITS.scriptKb})`,
      `Cumulative layout shift of it: ${shift.toFixed(4)} (${verdict(shift, 0)} 0)`,
      `Server memory, peak through first start and main path: ${serverMb.toFixed(0)} MB (${verdict(serverMb, LIMITS.serverMb)} ${LIMITS.serverMb})`,
      moving,
      searching,
      ...chatting,
      ...(await timings(context, app)),
      ...list,
      backtestBench(),
    ];
  } finally {
    await context.close();
    await app.remove();
    rmSync(profile, { recursive: true, force: true });
  }
}
