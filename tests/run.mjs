// `npm test`: every check and test, from a fresh clone. `npm test -- PATH…` runs single files; `npm run test:unit`,
// `test:server` and `test:e2e` run one lane, and pass options such as `--shard=1/3` on to its runner.
import { writeFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { ensureInstalled } from '../src/tools/install.mjs';
import { runPlaywright, runVitest, step } from './lanes.mjs';

const LANES = ['unit', 'server', 'e2e'];
const PROJECTS = { unit: ['--project=unit', '--project=client'], server: ['--project=server'] };

const args = process.argv.slice(2);
const lanes = args.filter((arg) => LANES.includes(arg));
const options = args.filter((arg) => arg.startsWith('-'));
const paths = args.filter((arg) => !lanes.includes(arg) && !options.includes(arg));

const total = { passed: 0, failed: 0, failures: [] };
const results = new Map();

function add(lane) {
  total.passed += lane.passed;
  total.failed += lane.failed;
  total.failures.push(...lane.failures);
  for (const [file, tests] of lane.results) results.set(file, tests);
}

async function must(name, script, ...rest) {
  const isGreen = await step(name, script, ...rest);
  if (!isGreen) total.failed += 1;
  return isGreen;
}

async function runEndToEnd(more = []) {
  const { ensureChromium } = await import('./support/browser/chromium.mjs');
  await ensureChromium();
  if (await must('Build', 'src/tools/build.mjs')) add(await runPlaywright([...more, ...options]));
}

async function runPaths() {
  const specs = paths.filter((path) => path.includes('e2e') || /\.spec\b/.test(path));
  const tests = paths.filter((path) => !specs.includes(path));
  if (tests.length > 0) add(await runVitest('Tests', [...tests, ...options]));
  if (specs.length > 0) await runEndToEnd(specs);
}

async function runLanes() {
  const projects = lanes.flatMap((lane) => PROJECTS[lane] ?? []);
  if (projects.length > 0) add(await runVitest('Tests', [...projects, ...options]));
  if (lanes.includes('e2e')) await runEndToEnd();
}

async function runAll() {
  await must('Check', 'tests/check.mjs');
  add(await runVitest('Unit and server tests', Object.values(PROJECTS).flat()));
  await runEndToEnd();
  console.log('\n── Conformance');
  const { checkConformance } = await import('./support/conformance/conformance-check.mjs');
  if (!checkConformance(results)) total.failed += 1;
}

/**
 * The end of a log is all that some services keep: it says why each test failed, without the frames of libraries, and
 * what the page showed.
 */
function reasonOf({ trace, page = '' }) {
  const isOurs = (line) => !line.includes('node_modules');
  const shown = page && ['The page showed:', ...linesOf(page).slice(0, 40)];
  return [...linesOf(trace).filter(isOurs).slice(0, 24), ...shown].map((line) => `    ${line.slice(0, 200)}`).join('\n');
}

const linesOf = (text) =>
  stripVTControlCharacters(text)
    .split('\n')
    .filter((line) => line.trim());

try {
  await ensureInstalled();
  if (paths.length > 0) await runPaths();
  else if (lanes.length > 0) await runLanes();
  else await runAll();
} catch (error) {
  console.error(error.message);
  total.failed += 1;
}

if (process.env.TEST_REPORT) writeFileSync(process.env.TEST_REPORT, JSON.stringify(total));
for (const failure of total.failures) console.log(`✗ ${failure.file} › ${failure.title}\n${reasonOf(failure)}`);
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;
