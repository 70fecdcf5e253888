// `npm run cluster:test [-- --only killed|outages|update|browser] [PATH… | OPTIONS]`: under load, kills processes of a cluster, takes
// PostgreSQL away, and updates it from the previous release. Then runs all browser tests on clusters, those of the night too, with Redis
// and without. Paths and options go to the browser tests, which then run alone.
import { ensureInstalled } from '#tools/install.mjs';
import { at } from '#tools/root.mjs';
import { step } from '../lanes.mjs';
import { ensureChromium } from '../support/browser/chromium.mjs';
import { loadTypeScript } from '../support/processes/run-typescript.mjs';

const PLAYWRIGHT = 'node_modules/@playwright/test/cli.js';
const CONFIG = ['test', '--config', at('tests/e2e/playwright.config.ts')];

const failed = [];
const must = async (name, ...rest) => {
  if (!(await step(name, ...rest))) failed.push(name);
};

const run = (name, ...files) => must(name, 'node_modules/vitest/vitest.mjs', ['run', '--project', 'cluster', ...files]);

async function runBrowsers(args) {
  const { startServices } = await loadTypeScript('tests/support/cluster/services.ts');
  for (const redis of [true, false]) {
    const { postgresUrl, redisUrl, stop } = await startServices({ redis });
    const env = { NIGHTLY: '1', CLUSTER_POSTGRES: postgresUrl, ...(redisUrl && { CLUSTER_REDIS: redisUrl }) };
    await must(`Browser tests ${redis ? 'with' : 'without'} Redis`, PLAYWRIGHT, [...CONFIG, ...args], env).finally(stop);
  }
}

const PARTS = {
  killed: () => run('Killed processes', 'tests/cluster/killed-processes.test.ts'),
  outages: () => run('Outages of PostgreSQL', 'tests/cluster/database-outages.test.ts'),
  update: () => run('The previous release beside this one', 'tests/cluster/previous-release.test.ts', 'tests/cluster/two-versions.test.ts'),
  browser: () => runBrowsers(rest),
};

const [first, second, ...others] = process.argv.slice(2);
const [only, rest] = first === '--only' ? [second, others] : [first && 'browser', process.argv.slice(2)];
if (only !== undefined && !Object.hasOwn(PARTS, only)) throw new Error(`--only is one of ${Object.keys(PARTS).join(', ')}.`);

await ensureInstalled();
await ensureChromium();
await must('Build', 'src/tools/build.mjs');
for (const [name, part] of Object.entries(PARTS)) if (only === undefined || only === name) await part();
console.log(failed.length === 0 ? '\nCluster: all passed' : `\nCluster: failed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;
