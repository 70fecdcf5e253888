import { mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { bundle, copyData } from '#tools/build/build-server.mjs';
import { at } from '#tools/root.mjs';

/** Makes one of the tests' TypeScript files a program that Node runs by itself, with what the server has beside it. Returns its path. */
export async function bundleProgram(file) {
  // As deep as src/tools, where root.mjs looks for the project from.
  const folder = at('dist/tests');
  const name = basename(file, '.ts');
  mkdirSync(folder, { recursive: true });
  await build({ ...bundle(folder), entryPoints: { [name]: file } });
  copyData(folder);
  return join(folder, `${name}.js`);
}
