import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { bundle, copyData } from '../../src/tools/build-server.mjs';
import { at } from '../../src/tools/root.mjs';

/** Makes tests/faults/bot-trader.ts a program that Node runs by itself. Returns its path. */
export async function bundleTrader(): Promise<string> {
  const folder = at('dist/faults');
  mkdirSync(folder, { recursive: true });
  await build({ ...bundle(folder), entryPoints: { 'bot-trader': 'tests/faults/bot-trader.ts' } });
  copyData(folder);
  return join(folder, 'bot-trader.js');
}
