// `npm run read:chart -- FILE [--json]`: what the built-in analyst sees in a picture.
import { resolve } from 'node:path';
import { ensureInstalled } from './install.mjs';
import { loadBundled } from './load-bundled.mjs';

const [file, ...rest] = process.argv.slice(2).sort((a, b) => Number(a === '--json') - Number(b === '--json'));
if (!file || file === '--json' || rest.some((option) => option !== '--json')) {
  console.error('Usage: npm run read:chart -- FILE [--json]');
  process.exit(1);
}
await ensureInstalled();
const { readChartFile } = await loadBundled('src/tools/commands/read-chart.ts');
// npm moves into the project's folder, and says where it was called.
const { output, exitCode } = await readChartFile(resolve(process.env.INIT_CWD ?? '.', file), { json: rest.length > 0 });
console.log(output);
process.exitCode = exitCode;
