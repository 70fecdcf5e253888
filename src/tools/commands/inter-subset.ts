import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import subsetFont from 'subset-font';
import { at } from '../root.mjs';

const STYLES = 'src/client/ui/theme/inter.css';
export const SUBSET = 'src/client/ui/theme/inter-subset.woff2';

/** Returns the characters of the last `unicode-range` of a stylesheet. */
function lastRange(css: string): string {
  const range = css.slice(css.lastIndexOf('unicode-range:'));
  return [...range.matchAll(/U\+([\dA-F]+)(?:-([\dA-F]+))?/g)]
    .flatMap(([, first = '', last = first]) => {
      const from = Number.parseInt(first, 16);
      return Array.from({ length: Number.parseInt(last, 16) - from + 1 }, (_, index) => String.fromCodePoint(from + index));
    })
    .join('');
}

/** Returns Inter with the characters, weights and features that the app uses. */
export function interSubset(): Promise<Buffer> {
  const file = createRequire(import.meta.url).resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2');
  return subsetFont(readFileSync(file), lastRange(readFileSync(at(STYLES), 'utf8')), {
    targetFormat: 'woff2',
    keepFeatures: ['kern', 'tnum'],
    variationAxes: { wght: { min: 400, max: 700 } },
    noHinting: true,
  });
}

/** Runs `node src/tools/command.mjs inter-subset`: writes the font's subset. */
export async function command(): Promise<{ output: string; exitCode: number }> {
  const subset = await interSubset();
  writeFileSync(at(SUBSET), subset);
  return { output: `${SUBSET}: ${subset.length} bytes`, exitCode: 0 };
}
