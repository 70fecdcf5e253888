// `npm run faults [-- --rounds 20 --kills 200 --schedules 100 --seed 1 --only PART]`: kills the server repeatedly and
// checks that no acknowledged write is lost; kills trading bots and checks for duplicate orders and missing stops; kills them while
// their feed changes; kills checks of price alerts and counts what fired; then runs devices through random faults: one that writes to
// support, half as many installed apps that ask offline, and a fifth as many to which other apps share. PART is server, bots, feeds,
// alerts, contact, questions or shares.
import { parseArgs } from 'node:util';
import { ensureInstalled } from '#tools/install.mjs';
import { at } from '#tools/root.mjs';
import { runScript } from '#tools/run.mjs';
import { ensureChromium } from '../support/browser/chromium.mjs';
import { bundleProgram } from '../support/processes/bundle.mjs';
import { loadTypeScript } from '../support/processes/run-typescript.mjs';

const number = (byDefault) => ({ type: 'string', default: byDefault });
const { values } = parseArgs({
  options: { rounds: number('20'), kills: number('200'), schedules: number('100'), seed: number('1'), only: { type: 'string' } },
});
const seed = Number(values.seed);
const kills = Number(values.kills);
const schedules = Number(values.schedules);

/** Kills the server. Returns the number of faults. */
async function killServer() {
  await runScript(at('src/tools/build.mjs'));
  const { run } = await loadTypeScript('tests/faults/crash-recovery.ts');
  const { acknowledged, lost, miscounted, rounds } = await run({ rounds: Number(values.rounds), seed });
  console.log(`${rounds} × kill -9: ${acknowledged} acknowledged writes, ${lost} lost, ${miscounted} charges wrong`);
  return lost + miscounted;
}

/** Prints the faults of killed bots. Returns their number. */
function report(name, { kills, orders, faults }) {
  console.log(`${kills} × kill -9 ${name}: ${orders === undefined ? '' : `${orders} orders, `}${faults.length} faults`);
  for (const fault of faults) console.error(fault);
  return faults.length;
}

async function killBots() {
  const { runBotCrashes } = await import(await bundleProgram('tests/faults/bot-crashes.ts'));
  const { openBybitStage, openCruelStage } = await import(await bundleProgram('tests/faults/bybit-stage.ts'));
  let wrong = 0;
  for (const [where, openStage, keepsResults] of [
    ['on paper', undefined, true],
    ['on a live exchange that fails too', openBybitStage, true],
    ['on a cruel one', openCruelStage, false],
  ]) {
    const onRound = (soFar) => {
      console.log(`  ${where}, so far: ${soFar.kills} kills, ${soFar.orders} orders, ${soFar.faults.length} faults`);
      if (soFar.faults.length > 0) console.error(soFar.faults.at(-1));
    };
    wrong += report(`of bots ${where}`, await runBotCrashes({ kills, seed, openStage, keepsResults, atOnce: 4, onRound }));
  }
  return wrong;
}

async function killFeeds() {
  const { runFeedCrashes } = await import(await bundleProgram('tests/faults/feed-changes.ts'));
  let wrong = 0;
  for (const from of ['live', 'replay'])
    wrong += report(`while paper money leaves the feed "${from}"`, await runFeedCrashes({ kills: Math.ceil(kills / 10), seed, from }));
  return wrong;
}

async function killAlerts() {
  const { runAlertCrashes } = await import(await bundleProgram('tests/faults/alert-crashes.ts'));
  const { fired, ...result } = await runAlertCrashes({ kills: Math.ceil(kills / 4), seed });
  console.log(`  ${fired} firings of price alerts`);
  return report('of checks of price alerts', result);
}

/** Runs the schedules of a writing device. */
async function disturbContact() {
  const env = { ...process.env, CONTACT_SCHEDULES: values.schedules, CONTACT_SEED: values.seed };
  const args = ['run', '--project', 'server', 'tests/server/help/contact-schedules.test.ts'];
  await runScript(at('node_modules/vitest/vitest.mjs'), args, { env });
  return 0;
}

/** Runs the schedules of devices that ask offline, in Chromium. Playwright says which failed. */
async function disturbQuestions() {
  await ensureChromium();
  await runScript(at('src/tools/build.mjs'));
  const env = { ...process.env, QUESTION_SCHEDULES: String(Math.ceil(schedules / 2)), QUESTION_SEED: values.seed };
  const args = ['test', '--config', at('tests/e2e/playwright.config.ts'), 'chat/offline-schedules'];
  await runScript(at('node_modules/@playwright/test/cli.js'), args, { env });
  return 0;
}

/** Runs the schedules of a device to which other apps share, in Chromium. A schedule takes longer than one of a writing device. */
async function disturbShares() {
  await ensureChromium();
  await runScript(at('src/tools/build.mjs'));
  const env = { ...process.env, SHARE_SCHEDULES: String(Math.ceil(schedules / 5)), SHARE_SEED: values.seed };
  const args = ['test', '--config', at('tests/e2e/playwright.config.ts'), 'chat/share-schedules.spec.ts'];
  await runScript(at('node_modules/@playwright/test/cli.js'), args, { env });
  return 0;
}

const PARTS = {
  server: killServer,
  bots: killBots,
  feeds: killFeeds,
  alerts: killAlerts,
  contact: disturbContact,
  questions: disturbQuestions,
  shares: disturbShares,
};
if (values.only !== undefined && !(values.only in PARTS)) throw new Error(`--only is one of ${Object.keys(PARTS).join(', ')}.`);

await ensureInstalled();
let wrong = 0;
for (const [name, run] of Object.entries(PARTS)) if (values.only === undefined || values.only === name) wrong += await run();
process.exitCode = wrong === 0 ? 0 : 1;
