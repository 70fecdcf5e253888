// `npm run bench:charts -- --dir DIR [--half dev|held]`: reads the charts of a folder and compares them with the truth files.
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureInstalled } from '#tools/install.mjs';
import { loadBundled } from '#tools/load-bundled.mjs';
import { at } from '#tools/root.mjs';

const { values } = parseArgs({ options: { dir: { type: 'string' }, half: { type: 'string', default: 'all' } } });
if (!values.dir) {
  console.error('Usage: npm run bench:charts -- --dir DIR [--half dev|held]');
  process.exit(1);
}
await ensureInstalled();
const { benchCharts } = await loadBundled('tests/bench/charts/charts.ts');
const dir = resolve(process.env.INIT_CWD ?? '.', values.dir);
for (const line of await benchCharts({ dir, half: values.half, script: at('src/tools/command.mjs') })) console.log(line);
