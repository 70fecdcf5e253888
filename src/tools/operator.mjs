// `npm run operator -- COMMAND [--json]`: what the people who run Tidemark ask it. Runs what was built last, as the server does.
import { existsSync } from 'node:fs';
import { ensureInstalled } from './install.mjs';
import { at } from './root.mjs';
import { runScript } from './run.mjs';

const program = at('dist/server/operator.js');
if (!existsSync(program)) {
  await ensureInstalled();
  await runScript(at('src/tools/build.mjs'), ['server']);
}
await import(program);
