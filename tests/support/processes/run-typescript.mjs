import { at } from '#tools/root.mjs';

/** The exports of one of the project's TypeScript files, for scripts that plain Node runs. */
export async function loadTypeScript(file) {
  const { runnerImport } = await import('vite');
  const { module } = await runnerImport(at(file), { root: at('.'), envDir: false, logLevel: 'error' });
  return module;
}
