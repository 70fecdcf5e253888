// Runs one lane of the suite and reads its results.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { at } from '../src/tools/root.mjs';
import { runScript, Stopped } from '../src/tools/run.mjs';

/** `page` is what the browser showed, as roles and names. @typedef {{ file: string, title: string, trace: string, page?: string }} Failure */

/** Runs a script under a heading. Returns false when it fails; throws `Stopped` after Ctrl-C. */
export async function step(name, script, args = [], env = {}) {
  console.log(`\n── ${name}`);
  const began = performance.now();
  try {
    await runScript(at(script), args, { env: { ...process.env, ...env } });
    return true;
  } catch (error) {
    if (error instanceof Stopped) throw error;
    return false;
  } finally {
    console.log(`   ${name}: ${Math.round((performance.now() - began) / 1000)} s`);
  }
}

/** Runs vitest with these arguments. Returns totals, failures, and results by file for the conformance check. */
export function runVitest(name, args) {
  return withReport(async (report) => {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
    return step(name, 'node_modules/vitest/vitest.mjs', ['run', ...reporters, ...args]);
  }, readVitest);
}

/** Runs Playwright with these arguments, on the app in `dist`. Returns the same as `runVitest`. */
export function runPlaywright(args) {
  return withReport(async (report) => {
    const all = ['test', '--config', at('tests/e2e/playwright.config.ts'), '--shuffle', '--reporter=list,json', ...args];
    const isGreen = await step('End-to-end tests', 'node_modules/@playwright/test/cli.js', all, { PLAYWRIGHT_JSON_OUTPUT_FILE: report });
    // Screenshots of a failure stay, in a folder that git ignores.
    if (isGreen) rmSync(at('test-results'), { recursive: true, force: true });
    return isGreen;
  }, readPlaywright);
}

async function withReport(run, read) {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-report-'));
  try {
    const path = join(folder, 'report.json');
    const isGreen = await run(path);
    const result = await readOrNothing(path, read);
    // A runner can fail without a failed test: a file does not load, or an error is caught by no test.
    if (isGreen || result.failed > 0) return result;
    const silent = { file: 'the runner', title: 'failed outside of the tests: its output above says why', trace: '' };
    return { ...result, failed: 1, failures: [...result.failures, silent] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function readOrNothing(path, read) {
  let report;
  try {
    report = JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return { passed: 0, failed: 0, failures: [], results: new Map() };
  }
  return read(report);
}

/** Loads the readers late: they use a package, which a fresh clone installs first. */
const readers = () => import('./support/conformance/conformance-tests.mjs');

async function readVitest(report) {
  const { vitestResults } = await readers();
  const failures = report.testResults.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === 'failed');
    if (status === 'failed' && failed.length === 0) return [{ file: name, title: '(the file)', trace: message }];
    return failed.map(({ ancestorTitles, title, failureMessages }) => ({
      file: name,
      title: [...ancestorTitles, title].join(' › '),
      trace: failureMessages.join('\n'),
    }));
  });
  return { passed: report.numPassedTests, failed: report.numFailedTests, failures, results: vitestResults(report, at('tests')) };
}

/** Returns the description of the page from the file that Playwright writes about a failure. */
function pageIn({ name, path }) {
  if (name !== 'error-context' || !path) return [];
  try {
    const [, page] = /```yaml\n([\s\S]*?)```/.exec(readFileSync(path, 'utf8')) ?? [];
    return page ? [page] : [];
  } catch {
    return [];
  }
}

async function readPlaywright(report) {
  const { playwrightResults } = await readers();
  const failures = [];
  const visit = (suite, titles) => {
    for (const { title, tests } of suite.specs ?? []) {
      for (const { status, results } of tests) {
        if (status === 'expected' || status === 'skipped') continue;
        const errors = results.flatMap((result) => result.errors ?? []).map(({ stack, message }) => stack ?? message);
        const page = results.flatMap((result) => result.attachments ?? []).flatMap(pageIn);
        failures.push({
          file: suite.file,
          title: [...titles, title].filter(Boolean).join(' › '),
          trace: errors.join('\n'),
          page: page.join('\n'),
        });
      }
    }
    for (const inner of suite.suites ?? []) visit(inner, [...titles, inner.title]);
  };
  for (const suite of report.suites) visit(suite, []);
  const { expected, unexpected, flaky } = report.stats;
  return { passed: expected, failed: unexpected + flaky, failures, results: playwrightResults(report, at('tests')) };
}
