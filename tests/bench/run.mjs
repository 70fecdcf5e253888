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
const failures = await bench(options, { here: root, say: console.log, onStep: console.error });

/** Prints the lines of a part. A part that fails stops no other. */
async function printPart(part, measure) {
  if (!options.parts.has(part)) return;
  try {
    for await (const line of await measure()) console.log(line);
  } catch (error) {
    failures.push(error.stack);
  }
}
await printPart('frames', async () => (await loadTypeScript('tests/bench/loads/frames.ts')).framesBench());
await printPart('loads', async () => (await loadTypeScript('tests/bench/loads/loads.ts')).loadsBench());
await printPart('loads', async () => (await import(await bundleProgram('tests/bench/loads/bots.ts'))).botsBench());
await printPart('loads', async () => {
  const alerts = await (await import(await bundleProgram('tests/bench/loads/alerts.ts'))).alertsBench();
  failures.push(...alerts.failures);
  return alerts.lines;
});
await printPart('bots', async () => (await import(await bundleProgram('tests/bench/loads/live-bots.ts'))).liveBotsBench());
await printPart('sockets', async () => (await import(await bundleProgram('tests/bench/loads/sockets.ts'))).socketsBench());
await printPart('pushes', async () => {
  const pushes = await (await import(await bundleProgram('tests/bench/loads/pushes.ts'))).pushesBench();
  failures.push(...pushes.failures);
  return pushes.lines;
});
await printPart('processes', async () => (await loadTypeScript('tests/bench/processes/processes.ts')).processesBench());
await printPart('earlier', async () => (await loadTypeScript('tests/bench/processes/earlier.ts')).earlierBench());
await printPart('analyst', async () => {
  const { analystBench } = await loadTypeScript('tests/bench/analyst/analyst.ts');
  return analystBench(options.checkout, options.rounds);
});
await printPart('plans', async () => {
  const plans = await (await import(await bundleProgram('tests/bench/loads/plans.ts'))).plansBench(console.error);
  failures.push(...plans.failures);
  return plans.lines;
});

for (const failure of failures) console.error(`FAILED: ${failure}`);
// A socket that a browser has left half open must not keep the process.
process.exit(failures.length > 0 ? 1 : 0);
