// `npm run cluster:test [-- PATH… | OPTIONS]`: kills processes of a cluster under load, then runs all browser tests on clusters, with Redis
// and without. Paths and options go to the browser tests.
import { ensureInstalled } from '#tools/install.mjs';
import { at } from '#tools/root.mjs';
import { step } from '../lanes.mjs';
import { ensureChromium } from '../support/browser/chromium.mjs';
import { loadTypeScript } from '../support/processes/run-typescript.mjs';

const PLAYWRIGHT = 'node_modules/@playwright/test/cli.js';
const CONFIG = ['test', '--config', at('tests/e2e/playwright.config.ts')];

await ensureInstalled();
await ensureChromium();
const failed = [];
const must = async (name, ...rest) => {
  if (!(await step(name, ...rest))) failed.push(name);
};
const only = process.argv.slice(2);
await must('Build', 'src/tools/build.mjs');
if (only.length === 0) await must('Killed processes', 'node_modules/vitest/vitest.mjs', ['run', '--project', 'cluster']);
const { startServices } = await loadTypeScript('tests/support/cluster/services.ts');
for (const redis of [true, false]) {
  const { postgresUrl, redisUrl, stop } = await startServices({ redis });
  const env = { CLUSTER_POSTGRES: postgresUrl, ...(redisUrl && { CLUSTER_REDIS: redisUrl }) };
  await must(`Browser tests ${redis ? 'with' : 'without'} Redis`, PLAYWRIGHT, [...CONFIG, ...only], env).finally(stop);
}
console.log(failed.length === 0 ? '\nCluster: all passed' : `\nCluster: failed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;
