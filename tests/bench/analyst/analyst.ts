import { execFileSync } from 'node:child_process';
import { chromium } from '@playwright/test';
import { build } from 'esbuild';
import { chromiumArgs, findChromium } from '#tests/support/browser/chromium.mjs';
import { at } from '#tools/root.mjs';
import { CPU_SLOWDOWN } from '../first-screen/measure.ts';
import { openWorkspace } from '../workspace.ts';
import { FIRST_QUESTIONS } from './hostile-questions.ts';
import { offlineAnswersBench } from './offline-answers.ts';
import type { Took } from './read-questions.ts';

/** Bars of one answer, ms. */
const MAX_MS = { server: 20, device: 80 };
/** New processes that answer a language's first question; the quickest counts. */
const PROCESSES = 5;

/** Returns the analyst's rules with the bench's texts as one script. */
async function bundled(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [at('tests/bench/analyst/read-questions.ts')],
    bundle: true,
    minify: true,
    format: 'iife',
    write: false,
    define: { 'import.meta.url': '""' },
  });
  return outputFiles[0]?.text ?? '';
}

/** Runs a call of the script in a process of Node. */
const onServer = <T>(script: string, call: string): T =>
  JSON.parse(
    execFileSync(process.execPath, ['-'], { input: `${script};${call}.then((took) => console.log(JSON.stringify(took)));` }).toString(),
  );

/** Opens Chromium on a slow phone. The returned function runs a call of the script in a new renderer. */
async function openDevice(script: string) {
  const executablePath = findChromium();
  const browser = await chromium.launch({ ...(executablePath && { executablePath }), args: chromiumArgs });
  return {
    async run<T>(call: string): Promise<T> {
      const context = await browser.newContext();
      const page = await context.newPage();
      const session = await context.newCDPSession(page);
      await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
      await page.evaluate(script);
      const took = (await page.evaluate(call)) as T;
      await context.close();
      return took;
    },
    close: () => browser.close(),
  };
}

const worstOf = (took: Took): [string, number] => Object.entries(took).sort(([, a], [, b]) => b - a)[0] ?? ['', Number.NaN];

/** Measures what long texts and first questions cost on the server and on a slow device. Returns lines to print. */
async function readingBench(): Promise<string[]> {
  const script = await bundled();
  const device = await openDevice(script);
  try {
    const server = worstOf(onServer<Took>(script, 'answerHostile()'));
    const phone = worstOf(await device.run<Took>('answerHostile()'));
    const line = (where: string, [text, ms]: [string, number], max: number) =>
      `4,000 characters against 20,000 names, ${where}: at most ${ms.toFixed(1)} ms, ${text} (${ms <= max ? 'within' : 'OVER'} ${max})`;
    const lines = [
      line('server', server, MAX_MS.server),
      `${line(`device, processor ÷ ${CPU_SLOWDOWN}`, phone, MAX_MS.device)}, ${(phone[1] / server[1]).toFixed(2)} × the server`,
    ];
    for (const language of Object.keys(FIRST_QUESTIONS)) {
      const [here, there]: [number[], number[]] = [[], []];
      for (let round = 0; round < PROCESSES; round++) {
        here.push(onServer<number>(script, `answerFirst('${language}')`));
        there.push(await device.run<number>(`answerFirst('${language}')`));
      }
      const [ms, slow] = [Math.min(...here), Math.min(...there)];
      lines.push(
        `First question in ${language}: server ${ms.toFixed(1)} ms (${ms <= MAX_MS.server ? 'within' : 'OVER'} ${MAX_MS.server}), ` +
          `device ÷ ${CPU_SLOWDOWN} ${slow.toFixed(1)} ms (${slow <= MAX_MS.device ? 'within' : 'OVER'} ${MAX_MS.device})`,
      );
    }
    return lines;
  } finally {
    await device.close();
  }
}

/** Measures the analyst's rules: what questions cost, and how soon a device answers without a network. */
export async function* analystBench(checkout: string, rounds: number): AsyncGenerator<string> {
  yield* await readingBench();
  const workspace = openWorkspace();
  try {
    yield* await offlineAnswersBench(workspace, checkout, rounds);
  } finally {
    workspace.remove();
  }
}
