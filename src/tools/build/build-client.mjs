import { cpSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { at } from '../root.mjs';
import { precompress } from './precompress.mjs';
import { replaceFolder } from './replace-folder.mjs';

const KEEP_MS = 14 * 24 * 60 * 60 * 1000;

/** Keeps assets of earlier builds for two weeks, because pages that are still open may load them. */
function keepEarlierAssets(from, to) {
  if (!existsSync(from)) return;
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) {
    const recent = Date.now() - statSync(join(from, name)).mtimeMs < KEEP_MS;
    if (recent && !existsSync(join(to, name))) cpSync(join(from, name), join(to, name), { preserveTimestamps: true });
  }
}

/** Builds the app and its service worker, then replaces dist/client in one step. */
export async function buildClient() {
  const target = at('dist/client');
  await replaceFolder(target, async (next) => {
    await build({ root: at('.'), logLevel: 'warn', build: { outDir: next, emptyOutDir: true } });
    await precompress(next);
    keepEarlierAssets(join(target, 'assets'), join(next, 'assets'));
  });
}
