import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { buildSync } from 'esbuild';
import { bundle, serverData } from '#tools/build/build-server.mjs';
import { at } from '#tools/root.mjs';

/** Programs of this process by file. */
const programs = new Map();

/** Bundles a TypeScript file of the tests into a program with the server's data files beside it. Returns its path. */
export async function bundleProgram(file) {
  if (!programs.has(file)) programs.set(file, buildProgram(file));
  return programs.get(file);
}

function buildProgram(file) {
  // Two levels deep, because root.mjs looks for the project root from there.
  const folder = at('dist/test-programs');
  const name = basename(file, '.ts');
  mkdirSync(folder, { recursive: true });
  // buildSync starts a process of its own: the shared one of `build` does not outlive all files of a vitest worker.
  const { outputFiles } = buildSync({ ...bundle(folder), splitting: false, entryPoints: { [name]: file }, write: false });
  for (const { path, contents } of outputFiles) replaceFile(path, contents);
  for (const [data, source] of serverData) linkOnce(at(source), join(folder, data));
  return join(folder, `${name}.js`);
}

/** Replaces a file in one step: another vitest worker may start the same program at this moment. */
function replaceFile(path, contents) {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, contents);
  renameSync(draft, path);
}

function linkOnce(target, path) {
  try {
    symlinkSync(target, path, 'junction');
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
}
