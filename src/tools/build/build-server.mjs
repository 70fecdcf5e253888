import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { at } from '../root.mjs';
import { replaceFolder } from './replace-folder.mjs';

/** Packages of many small modules, which Node needs longer to find and read than to run. */
const BUNDLED = ['drizzle-orm', 'jose', 'postal-mime', 'trading-signals'];

const { dependencies, devDependencies } = JSON.parse(readFileSync(at('package.json'), 'utf8'));

/** Returns the build options of the server, its worker threads and the admin CLI. Other packages stay in node_modules. */
export const bundle = (folder) => ({
  absWorkingDir: at('.'),
  entryPoints: {
    main: 'src/server/main.ts',
    operator: 'src/server/operator/main.ts',
    'reading-thread': 'src/server/pictures/reading-thread.ts',
    'backtest-thread': 'src/server/backtests/backtest-thread.ts',
  },
  outdir: folder,
  bundle: true,
  // What `import()` loads stays in files of its own, so that a program starts without it.
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  external: Object.keys({ ...dependencies, ...devDependencies }).filter((name) => !BUNDLED.includes(name)),
  sourcemap: true,
  logLevel: 'warning',
});

/** What the server reads beside its bundle: SQL migrations, the demo market's data, the paper market's history. */
export const serverData = Object.entries({
  migrations: 'src/server/db/migrations',
  snapshot: 'src/server/ports/market-data/snapshot',
  history: 'src/server/ports/exchange/paper/history',
}).filter(([, source]) => existsSync(at(source)));

/** Copies that data beside a bundle. */
export function copyData(folder) {
  for (const [name, source] of serverData) cpSync(at(source), join(folder, name), { recursive: true });
}

/**
 * Creates the empty, migrated database that first starts copy: initdb takes seconds and about 900 MB. PostgreSQL creates
 * databases from its two templates; the embedded one has a single database, and they are half of its files.
 */
async function makeCluster(folder) {
  const [{ PGlite }, { drizzle }, { migrate }] = await Promise.all([
    import('@electric-sql/pglite'),
    import('drizzle-orm/pglite'),
    import('drizzle-orm/pglite/migrator'),
  ]);
  const pglite = await PGlite.create(join(folder, 'cluster'));
  await migrate(drizzle(pglite), { migrationsFolder: join(folder, 'migrations') });
  await pglite.exec('update pg_database set datistemplate = false');
  for (const name of ['template0', 'template1']) await pglite.exec(`drop database ${name}`);
  await pglite.close();
}

/** Builds the server, then replaces dist/server in one step. */
export const buildServer = () =>
  replaceFolder(at('dist/server'), async (next) => {
    await build(bundle(next));
    copyData(next);
    await makeCluster(next);
  });
