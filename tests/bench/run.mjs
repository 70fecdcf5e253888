// `npm run bench -- [--rounds N] [--only PART]… [--app DIR] [--write]`: measures the app beside reference pages.
import { ensureInstalled } from '#tools/install.mjs';
import { at, root } from '#tools/root.mjs';
import { runScript, stopWithParent } from '#tools/run.mjs';
import { ensureChromium } from '../support/browser/chromium.mjs';
import { bundleProgram } from '../support/processes/bundle.mjs';
import { loadTypeScript } from '../support/processes/run-typescript.mjs';

await ensureInstalled();
const { parseOptions, USAGE } = await loadTypeScript('tests/bench/options.ts');
let options;
try {
  options = parseOptions(process.argv.slice(2), root, process.env.INIT_CWD ?? '.');
} catch (error) {
  console.error(`${error.message}\n${USAGE}`);
  process.exit(1);
}
await ensureChromium();
if (options.checkout === root) await runScript(at('src/tools/build.mjs'));
stopWithParent();
const { bench } = await loadTypeScript('tests/bench/bench.ts');
await bench(options, { here: root, say: console.log, onStep: console.error });
if (options.loads) {
  const { loadsBench } = await loadTypeScript('tests/bench/loads/loads.ts');
  for (const line of await loadsBench()) console.log(line);
  const { botsBench } = await import(await bundleProgram('tests/bench/loads/bots.ts'));
  for (const line of await botsBench()) console.log(line);
}
if (options.liveBots) {
  const { liveBotsBench } = await import(await bundleProgram('tests/bench/loads/live-bots.ts'));
  for (const line of await liveBotsBench()) console.log(line);
}
// A socket that a browser has left half open must not keep the process.
process.exit();
