import { at } from '#tools/root.mjs';

/** Imports a TypeScript file of the project from a plain Node script. */
export async function loadTypeScript(file) {
  const { runnerImport } = await import('vite');
  const { module } = await runnerImport(at(file), { root: at('.'), envDir: false, logLevel: 'error' });
  return module;
}
