import { once } from 'node:events';
import { createServer } from 'node:http';
import type { BrowserContext, Page } from '@playwright/test';
import { formatCompact, formatPercent, formatUsd } from '#domain/format/format-number.ts';
import { signUp } from '#tests/support/browser/main-path.ts';
import { startApp } from '#tests/support/processes/app.ts';
import { median } from '../median.ts';

/** Time between two ticks, ms. */
export const EVERY_MS = 100;
export const ROWS = 100;
const WINDOW_MS = 5_000;
const ROUNDS = 5;
const CPU_SLOWDOWN = 4;
/** Allowed ratio of the app's work to the bare table's. */
const MAX_RATIO = 1.5;

/** Creates texts as long as the market's, different in each round. */
const FRAMES = Array.from({ length: 20 }, (_, frame) =>
  Array.from({ length: ROWS }, (_, row) => {
    const price = 90_000 / (row + 1) ** 1.5 + frame * (0.01 + 10 / (row + 1));
    return [formatUsd(price), `↑ ${formatPercent(1 + row / 50 + frame / 100)}`, `$${formatCompact(price * 2e7)}`];
  }),
);

/** A bare page: a table of 100 rows and a script that rewrites all figures. */
const PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Bare</title>
<style>body{margin:0;font:16px sans-serif;background:#0b1220;color:#e8eefc}table{width:100%}tr{height:68px}td{text-align:right}</style>
<table>${FRAMES[0]?.map((texts, row) => `<tr><th>Coin ${row}</th>${texts.map((text) => `<td>${text}</td>`).join('')}</tr>`).join('')}</table>
<script>
const frames = ${JSON.stringify(FRAMES)};
const cells = [...document.querySelectorAll('tr')].map((row) => [...row.querySelectorAll('td')]);
let at = 0;
setInterval(() => {
  const frame = frames[++at % frames.length];
  for (let row = 0; row < cells.length; row++) for (let cell = 0; cell < 3; cell++) cells[row][cell].textContent = frame[row][cell];
}, ${EVERY_MS});
</script></html>`;

/** Serves the bare page. */
export async function serveBareTable(): Promise<{ url: string; close(): void }> {
  const server = createServer((_request, response) => response.setHeader('content-type', 'text/html; charset=utf-8').end(PAGE));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { url: `http://localhost:${address.port}`, close: () => server.close() };
}

/** Returns the main-thread time of a settled page, ms per second: in total and in script. */
async function mainThread(page: Page): Promise<[task: number, script: number]> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  await session.send('Performance.enable');
  const read = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    const value = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
    return { at: value('Timestamp'), task: value('TaskDuration'), script: value('ScriptDuration') };
  };
  const before = await read();
  await page.waitForTimeout(WINDOW_MS);
  const after = await read();
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  await session.detach();
  const span = after.at - before.at;
  return [((after.task - before.task) / span) * 1000, ((after.script - before.script) / span) * 1000];
}

/** Counts the updates of the first row's price per second. */
const textsASecond = (page: Page): Promise<number> =>
  page.evaluate(
    (span) =>
      new Promise<number>((resolve) => {
        let writes = 0;
        const price = document.querySelector('[aria-label="Coins"] li [data-way]')?.parentElement?.previousElementSibling;
        if (!price) return resolve(Number.NaN);
        new MutationObserver((records) => {
          writes += records.filter(({ type }) => type === 'characterData').length;
        }).observe(price, { characterData: true, subtree: true });
        setTimeout(() => resolve(writes / (span / 1000)), span);
      }),
    WINDOW_MS,
  );

/** Compares the market list, with ten updates of every row a second, with a bare table that writes as much text. */
export async function ticks(context: BrowserContext): Promise<string> {
  const app = await startApp({ MARKET_TICK_MS: String(EVERY_MS) });
  const bare = await serveBareTable();
  try {
    const page = await context.newPage();
    await signUp(page, app, { firstName: 'Tick', lastName: 'King', email: 'tick@example.com', password: 'Secret1!' });
    const [ours, least, rates]: [number[][], number[][], number[]] = [[], [], []];
    for (let round = 0; round < ROUNDS; round++) {
      await page.goto(`${app.url}/crypto`);
      await page.getByRole('list', { name: 'Coins' }).waitFor();
      rates.push(await textsASecond(page));
      ours.push(await mainThread(page));
      await page.goto(bare.url);
      least.push(await mainThread(page));
    }
    await page.close();
    const of = (times: number[][], kind: number) => median(times.map((each) => each[kind] ?? Number.NaN));
    const ratio = of(ours, 0) / of(least, 0);
    return (
      `Main thread, ${ROWS} rows and ${median(rates).toFixed(1)} ticks a second, processor ÷ ${CPU_SLOWDOWN}: ${of(ours, 0).toFixed(0)} ms a second ` +
      `(script ${of(ours, 1).toFixed(0)}), a bare table ${of(least, 0).toFixed(0)} (${of(least, 1).toFixed(0)}), ratio ${ratio.toFixed(2)} (${ratio <= MAX_RATIO ? 'within' : 'OVER'} ${MAX_RATIO})`
    );
  } finally {
    bare.close();
    await app.remove();
  }
}
