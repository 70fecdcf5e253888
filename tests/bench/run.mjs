// `npm run bench`: measures the app's size and speed beside a bare page.
import { ensureInstalled } from '#tools/install.mjs';
import { at } from '#tools/root.mjs';
import { runScript } from '#tools/run.mjs';
import { ensureChromium } from '../support/browser/chromium.mjs';
import { bundleProgram } from '../support/processes/bundle.mjs';
import { loadTypeScript } from '../support/processes/run-typescript.mjs';

await ensureInstalled();
await ensureChromium();
await runScript(at('src/tools/build.mjs'));
const { bench } = await loadTypeScript('tests/bench/bench.ts');
for (const line of await bench()) console.log(line);
const { botsBench } = await import(await bundleProgram('tests/bench/bots.ts'));
for (const line of await botsBench()) console.log(line);
