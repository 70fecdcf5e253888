// `npm run check`: types, lint and format, import rules, source rules, migrations, unused code. Warnings fail it too.
import { existsSync } from 'node:fs';
import { ensureInstalled } from '../src/tools/install.mjs';
import { at } from '../src/tools/root.mjs';
import { runScript } from '../src/tools/run.mjs';

await ensureInstalled();
const { brokenImportRules } = await import('./check/import-graph.mjs');
const { brokenMigrationRules } = await import('./check/migration-rules.mjs');
const { brokenSourceRules } = await import('./check/source-rules.mjs');
const { knownExceptions } = await import('./check/known-exceptions.mjs');

const bin = (path) => at('node_modules', path);
const tsc = (project) => runScript(bin('typescript/bin/tsc'), ['--noEmit', '--pretty', 'false', '-p', at(project)], { quiet: true });

const failIfAny = (broken) => {
  if (broken.length > 0) throw new Error(broken.join('\n'));
};

const checks = {
  types: () => tsc('tsconfig.json'),
  'types of the worker': () => existsSync(at('sw/tsconfig.json')) && tsc('sw/tsconfig.json'),
  'lint and format': () =>
    runScript(bin('@biomejs/biome/bin/biome'), ['check', '--error-on-warnings', '--max-diagnostics=50'], { quiet: true }),
  'import rules': async () => failIfAny(await brokenImportRules(at('.'))),
  'source rules': () => failIfAny(brokenSourceRules(at('.'), knownExceptions)),
  migrations: async () => failIfAny(brokenMigrationRules(at('.'))),
  'unused code': () => runScript(bin('knip/bin/knip.js'), ['--no-progress', '--treat-config-hints-as-errors'], { quiet: true }),
};

for (const [name, check] of Object.entries(checks)) {
  const began = performance.now();
  try {
    await check();
    console.log(`✓ ${name} (${((performance.now() - began) / 1000).toFixed(1)} s)`);
  } catch (error) {
    console.error(`✗ ${name}\n${error.message}`);
    process.exitCode = 1;
  }
}
