// `npm test`: everything, from a fresh clone. The last line gives the totals.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureInstalled } from '../src/tools/install.mjs';
import { at } from '../src/tools/root.mjs';
import { runScript, Stopped } from '../src/tools/run.mjs';
import { ensureChromium } from './support/browser/chromium.mjs';

const reports = mkdtempSync(join(tmpdir(), 'tidemark-test-'));
const total = { passed: 0, failed: 0 };

/** Runs one step; true when it went well. */
async function step(name, script, args = [], env = {}) {
  console.log(`\n── ${name}`);
  try {
    await runScript(at(script), args, { env: { ...process.env, ...env } });
    return true;
  } catch (error) {
    if (error instanceof Stopped) throw error;
    return false;
  }
}

/** Adds a runner's own figures. A runner that failed without a failed test (a file that does not load) counts as one. */
function count(fine, read) {
  let passed = 0;
  let failed = 0;
  try {
    ({ passed, failed } = read());
  } catch {
    // No report was written: the runner did not get that far.
  }
  total.passed += passed;
  total.failed += fine ? failed : Math.max(failed, 1);
}

const report = (name) => JSON.parse(readFileSync(join(reports, name), 'utf8'));

/** Results of a runner; none when it did not get as far as writing a report. */
function readable(read) {
  try {
    return read();
  } catch {
    return new Map();
  }
}

try {
  await ensureInstalled();
  await ensureChromium();

  if (!(await step('Check', 'tests/check.mjs'))) total.failed += 1;

  const built = await step('Build', 'src/tools/build.mjs');
  if (!built) total.failed += 1;

  const unit = join(reports, 'vitest.json');
  count(
    await step('Unit and server tests', 'node_modules/vitest/vitest.mjs', [
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${unit}`,
    ]),
    () => {
      const { numPassedTests, numFailedTests } = report('vitest.json');
      return { passed: numPassedTests, failed: numFailedTests };
    },
  );

  if (built) {
    const args = ['test', '--config', at('tests/e2e/playwright.config.ts'), '--reporter=list,json'];
    const fine = await step('End-to-end tests', 'node_modules/@playwright/test/cli.js', args, {
      PLAYWRIGHT_JSON_OUTPUT_FILE: join(reports, 'playwright.json'),
    });
    count(fine, () => {
      const { expected, unexpected, flaky } = report('playwright.json').stats;
      return { passed: expected, failed: unexpected + flaky };
    });
    // After a failure the pictures of it stay, in a folder that git ignores.
    if (fine) rmSync(at('test-results'), { recursive: true, force: true });
  }

  // Not before the packages are there: the tests' titles are read by one of them.
  console.log('\n── Conformance');
  const { checkConformance } = await import('./support/conformance/conformance-check.mjs');
  const { playwrightResults, vitestResults } = await import('./support/conformance/conformance-tests.mjs');
  const results = readable(() => vitestResults(report('vitest.json'), at('tests')));
  const seen = readable(() => playwrightResults(report('playwright.json'), at('tests')));
  if (!checkConformance(new Map([...results, ...seen]))) total.failed += 1;
} catch (error) {
  console.error(error.message);
  total.failed += 1;
} finally {
  rmSync(reports, { recursive: true, force: true });
}

console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;
