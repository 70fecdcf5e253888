import { mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { buildSync } from 'esbuild';
import { bundle, copyData } from '#tools/build/build-server.mjs';
import { at } from '#tools/root.mjs';

/** Programs of this process by file. Building one again would overwrite it while another test starts it. */
const programs = new Map();

/** Bundles a TypeScript file of the tests into a program with the server's data files beside it. Returns its path. */
export async function bundleProgram(file) {
  if (!programs.has(file)) programs.set(file, buildProgram(file));
  return programs.get(file);
}

function buildProgram(file) {
  // Two levels deep, because root.mjs looks for the project root from there.
  const folder = at('dist/tests');
  const name = basename(file, '.ts');
  mkdirSync(folder, { recursive: true });
  // buildSync starts a process of its own: the shared one of `build` does not outlive all files of a vitest worker.
  buildSync({ ...bundle(folder), splitting: false, entryPoints: { [name]: file } });
  copyData(folder);
  return join(folder, `${name}.js`);
}
