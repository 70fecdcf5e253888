// `npm run backtest`, `npm run read:chart` and `node src/tools/command.mjs axis-templates`: runs src/tools/commands/NAME.ts.
import { ensureInstalled } from './install.mjs';
import { loadBundled } from './load-bundled.mjs';

const [name, ...args] = process.argv.slice(2);
await ensureInstalled();
const { command } = await loadBundled(`src/tools/commands/${name}.ts`);
// npm changes to the project's folder and leaves the user's own in INIT_CWD.
const { output, exitCode } = await command(args, process.env.INIT_CWD ?? '.');
if (exitCode === 1) console.error(output);
else console.log(output);
process.exitCode = exitCode;
