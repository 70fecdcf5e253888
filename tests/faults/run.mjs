// `npm run faults [-- --rounds 20 --seed 1]`: kills the server again and again and looks for what it had promised.
import { parseArgs } from 'node:util';
import { ensureInstalled } from '../../src/tools/install.mjs';
import { at } from '../../src/tools/root.mjs';
import { runScript } from '../../src/tools/run.mjs';
import { loadTypeScript } from '../support/run-typescript.mjs';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '20' }, seed: { type: 'string', default: '1' } } });

await ensureInstalled();
await runScript(at('src/tools/build.mjs'));
const { run } = await loadTypeScript('tests/faults/crash-recovery.ts');
const { acknowledged, lost, miscounted, rounds } = await run({ rounds: Number(values.rounds), seed: Number(values.seed) });
console.log(`${rounds} × kill -9: ${acknowledged} acknowledged writes, ${lost} lost, ${miscounted} charges wrong`);
process.exitCode = lost + miscounted === 0 ? 0 : 1;
