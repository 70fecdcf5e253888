import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import subsetFont from 'subset-font';
import { at } from '../root.mjs';

const THEME = 'src/client/ui/theme';

/** Files of `THEME`, each with the file of Inter that has its characters. */
export const SUBSETS = [
  { file: 'inter-subset.woff2', source: 'inter-latin-wght-normal.woff2' },
  { file: 'inter-bitcoin.woff2', source: 'inter-latin-ext-wght-normal.woff2' },
];

export const pathOf = (file: string): string => at(`${THEME}/${file}`);

/** Returns the characters in the `unicode-range` of a file's rule. */
function charactersOf(file: string): string {
  const css = readFileSync(pathOf('inter.css'), 'utf8');
  const [range = ''] = css.slice(css.indexOf(`'./${file}'`)).match(/unicode-range:[^;]+/) ?? [];
  return [...range.matchAll(/U\+([\dA-F]+)(?:-([\dA-F]+))?/g)]
    .flatMap(([, first = '', last = first]) => {
      const from = Number.parseInt(first, 16);
      return Array.from({ length: Number.parseInt(last, 16) - from + 1 }, (_, index) => String.fromCodePoint(from + index));
    })
    .join('');
}

/** Returns a part of Inter with the characters, weights and features that the app uses. */
export function interSubset({ file, source }: (typeof SUBSETS)[number]): Promise<Buffer> {
  const font = createRequire(import.meta.url).resolve(`@fontsource-variable/inter/files/${source}`);
  return subsetFont(readFileSync(font), charactersOf(file), {
    targetFormat: 'woff2',
    keepFeatures: ['kern', 'tnum'],
    variationAxes: { wght: { min: 400, max: 700 } },
    noHinting: true,
  });
}

/** Runs `node src/tools/command.mjs inter-subset`: writes the font's subsets. */
export async function command(): Promise<{ output: string; exitCode: number }> {
  const lines = SUBSETS.map(async (subset) => {
    const font = await interSubset(subset);
    writeFileSync(pathOf(subset.file), font);
    return `${subset.file}: ${font.length} bytes`;
  });
  return { output: (await Promise.all(lines)).join('\n'), exitCode: 0 };
}
