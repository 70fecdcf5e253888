// `npm run operator -- COMMAND [--json]`: the admin CLI. Runs the last build, as the server does.
import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { ensureInstalled } from './install.mjs';
import { at } from './root.mjs';
import { runScript } from './run.mjs';

const program = at('dist/server/operator.js');
if (!existsSync(program)) {
  await ensureInstalled();
  await runScript(at('src/tools/build.mjs'), ['server']);
}
await import(pathToFileURL(program).href);
