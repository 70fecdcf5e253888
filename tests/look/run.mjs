// `npm run look [-- --dir DIR --only TEXT --sizes 360,390,768,1280 --themes dark,light --modes plain,forced,contrast,large --before DIR --points]`:
// takes screenshots of every screen in all states, sizes, themes and modes for review, and lists layout errors. It is not a test.
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureInstalled } from '#tools/install.mjs';
import { at } from '#tools/root.mjs';
import { runScript } from '#tools/run.mjs';
import { ensureChromium } from '../support/browser/chromium.mjs';
import { loadTypeScript } from '../support/processes/run-typescript.mjs';

const text = (byDefault) => ({ type: 'string', default: byDefault });
const { values } = parseArgs({
  options: {
    dir: text(''),
    only: text(''),
    sizes: text('360,390,768,1280'),
    themes: text('dark,light'),
    modes: text('plain'),
    before: text(''),
    points: { type: 'boolean', default: false },
  },
});

await ensureInstalled();
await ensureChromium();
await runScript(at('src/tools/build.mjs'));
const dir = values.dir ? resolve(process.env.INIT_CWD ?? '.', values.dir) : await mkdtemp(join(tmpdir(), 'tidemark-look-'));
const { look } = await loadTypeScript('tests/look/look.ts');
await look({
  dir,
  before: values.before && resolve(process.env.INIT_CWD ?? '.', values.before),
  only: values.only,
  points: values.points,
  sizes: values.sizes.split(',').map(Number),
  themes: values.themes.split(','),
  modes: values.modes.split(','),
  say: console.log,
});
console.log(join(dir, 'index.html'));
console.log(join(dir, 'review.html'));
