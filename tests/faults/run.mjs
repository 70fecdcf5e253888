// `npm run faults [-- --rounds 20 --kills 200 --schedules 100 --seed 1]`: kills the server repeatedly and checks that no
// acknowledged write is lost; kills trading bots and checks for duplicate orders and missing stops; then runs a device
// that writes to support through random faults.
import { parseArgs } from 'node:util';
import { ensureInstalled } from '#tools/install.mjs';
import { at } from '#tools/root.mjs';
import { runScript } from '#tools/run.mjs';
import { bundleProgram } from '../support/processes/bundle.mjs';
import { loadTypeScript } from '../support/processes/run-typescript.mjs';

const number = (byDefault) => ({ type: 'string', default: byDefault });
const { values } = parseArgs({ options: { rounds: number('20'), kills: number('200'), schedules: number('100'), seed: number('1') } });

await ensureInstalled();
await runScript(at('src/tools/build.mjs'));
const { run } = await loadTypeScript('tests/faults/crash-recovery.ts');
const { acknowledged, lost, miscounted, rounds } = await run({ rounds: Number(values.rounds), seed: Number(values.seed) });
console.log(`${rounds} × kill -9: ${acknowledged} acknowledged writes, ${lost} lost, ${miscounted} charges wrong`);

const { runBotCrashes } = await import(await bundleProgram('tests/faults/bot-crashes.ts'));
const { openBybitStage, openCruelStage } = await import(await bundleProgram('tests/faults/bybit-stage.ts'));
let wrong = 0;
for (const [where, openStage, keepsResults] of [
  ['on paper', undefined, true],
  ['on a live exchange that fails too', openBybitStage, true],
  ['on a cruel one', openCruelStage, false],
]) {
  const trading = await runBotCrashes({ kills: Number(values.kills), seed: Number(values.seed), openStage, keepsResults });
  console.log(`${trading.kills} × kill -9 of bots ${where}: ${trading.orders} orders a run, ${trading.faults.length} faults`);
  for (const fault of trading.faults) console.error(fault);
  wrong += trading.faults.length;
}
const { runFeedCrashes } = await import(await bundleProgram('tests/faults/feed-changes.ts'));
for (const from of ['live', 'replay']) {
  const { kills, faults } = await runFeedCrashes({ kills: Math.ceil(Number(values.kills) / 10), seed: Number(values.seed), from });
  console.log(`${kills} × kill -9 while paper money leaves the feed "${from}": ${faults.length} faults`);
  for (const fault of faults) console.error(fault);
  wrong += faults.length;
}
process.exitCode = lost + miscounted + wrong === 0 ? 0 : 1;

const env = { ...process.env, CONTACT_SCHEDULES: values.schedules, CONTACT_SEED: values.seed };
await runScript(at('node_modules/vitest/vitest.mjs'), ['run', '--project', 'server', 'tests/server/help/contact-schedules.test.ts'], {
  env,
});
