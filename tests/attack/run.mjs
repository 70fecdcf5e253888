// `npm run attack [-- --seed 1 --only NAME --quick]`: attacks a server on this machine and prints the effect of each attack
// on other users. Exits with 1 when an attack is not held off.
import { parseArgs } from 'node:util';
import { ensureInstalled } from '#tools/install.mjs';
import { at } from '#tools/root.mjs';
import { runScript } from '#tools/run.mjs';
import { bundleProgram } from '../support/processes/bundle.mjs';

const { values } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, only: { type: 'string' }, quick: { type: 'boolean', default: false } },
});

await ensureInstalled();
await runScript(at('src/tools/build.mjs'), ['server']);
const { runAttacks } = await import(await bundleProgram('tests/attack/run-attacks.ts'));
const { header, lineOf } = await import(await bundleProgram('tests/attack/table.ts'));

// The first signal ends the current attack and its server. A second one ends this process.
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop.abort());

console.log(header);
const rows = await runAttacks({
  seed: Number(values.seed),
  only: values.only && [values.only],
  isQuick: values.quick,
  onRow: (row) => console.log(lineOf(row)),
  signal: stop.signal,
});
const notHeld = rows.filter(({ isHeld }) => !isHeld);
console.log(`\n${rows.length} attacks, ${notHeld.length} not held${notHeld.length > 0 ? ':' : ''}`);
for (const { name, evidence, effect } of notHeld) console.log(`- ${name}: ${[evidence, ...(effect?.broken ?? [])].join('; ')}`);
process.exit(rows.length > 0 && notHeld.length === 0 && !stop.signal.aborted ? 0 : 1);
