// `npm run soak -- [--minutes 60] [--only embedded|cluster] [--samples FILE]`: a mixed load on a built server and on a cluster at once.
// Fails when memory or descriptors grow, when data grows that belongs to no table, and when a visitor gets a wrong answer.
import { appendFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { ensureInstalled } from '#tools/install.mjs';
import { at } from '#tools/root.mjs';
import { runScript, stopWithParent } from '#tools/run.mjs';
import { bundleProgram } from '../support/processes/bundle.mjs';
import { loadTypeScript } from '../support/processes/run-typescript.mjs';

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '60' }, only: { type: 'string' }, samples: { type: 'string' } },
});
const minutes = Number(values.minutes);
if (!(minutes > 0 && minutes <= 24 * 60)) throw new Error('--minutes needs a number from 0 to 1440.');
const stages = ['embedded', 'cluster'].filter((name) => values.only === undefined || name === values.only);
if (stages.length === 0) throw new Error('--only needs "embedded" or "cluster".');

await ensureInstalled();
await runScript(at('src/tools/build.mjs'));
stopWithParent();
const { soak } = await import(await bundleProgram('tests/soak/soak.ts'));
const { failuresOf, reportLines } = await loadTypeScript('tests/soak/report.ts');
const onSample = (line) => values.samples && appendFileSync(values.samples, `${line}\n`);
const stopping = new AbortController();
for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => stopping.abort(new Error(`Stopped by ${name}`)));
const runs = stages.map((stage) => soak({ stage, minutes, onSample, signal: stopping.signal }));
// Each stops its own servers, also when the other one has failed.
await Promise.allSettled(runs);
const reports = await Promise.all(runs);
for (const line of reports.flatMap(reportLines)) console.log(line);
const failures = reports.flatMap(failuresOf);
for (const failure of failures) console.error(`FAILED: ${failure}`);
process.exit(failures.length === 0 ? 0 : 1);
