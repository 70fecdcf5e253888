// `npm run backtest -- --candles FILE [--funding FILE] [--leverage N] [--capital USD] [--from DATE] [--to DATE] [--out DIR] [--walk-forward]`
import { ensureInstalled } from './install.mjs';
import { loadBundled } from './load-bundled.mjs';

await ensureInstalled();
const { backtest } = await loadBundled('src/tools/commands/backtest.ts');
// npm moves into the project's folder, and says where it was called.
const { output, exitCode } = await backtest(process.argv.slice(2), process.env.INIT_CWD ?? '.');
if (exitCode === 0) console.log(output);
else console.error(output);
process.exitCode = exitCode;
