// `npm run nightly`: what takes too long for `npm test`. Every fault, attack and browser test, all of `npm run cluster:test`, a minute of mixed load,
// and the other browser engines.
import { ensureInstalled } from '../src/tools/install.mjs';
import { at } from '../src/tools/root.mjs';
import { step } from './lanes.mjs';
import { ensureChromium } from './support/browser/chromium.mjs';

const PLAYWRIGHT = 'node_modules/@playwright/test/cli.js';

const STEPS = [
  ['Build', 'src/tools/build.mjs'],
  ['Server tests at full length', 'node_modules/vitest/vitest.mjs', ['run', '--project', 'server'], { NIGHTLY: '1' }],
  ['Unit tests at full length', 'node_modules/vitest/vitest.mjs', ['run', '--project', 'unit'], { NIGHTLY: '1' }],
  ['Faults', 'tests/faults/run.mjs'],
  ['Attacks', 'tests/attack/run.mjs'],
  ['All end-to-end tests, with the worker', PLAYWRIGHT, ['test', '--config', at('tests/e2e/playwright.config.ts')], { NIGHTLY: '1' }],
  ['Several processes', 'tests/cluster/test.mjs'],
  ['Mixed load for a minute', 'tests/soak/run.mjs', ['--minutes', '1']],
  ['Browser engines', 'node_modules/vitest/vitest.mjs', ['run', '--project', 'engines'], { NIGHTLY: '1' }],
];

await ensureInstalled();
await ensureChromium();
const failed = [];
try {
  for (const [name, script, args, env] of STEPS) if (!(await step(name, script, args, env))) failed.push(name);
} catch (error) {
  failed.push(error.message);
}
console.log(failed.length === 0 ? '\nNightly: all passed' : `\nNightly: failed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;
