import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { earlyChunks, lateChunks, patternOf } from '#tools/build/client-chunks.ts';

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).map((file) => `/src/${file.replaceAll('\\', '/')}`);
const files = sources.filter((file) => /\.(ts|tsx|css)$/.test(file));

it.each(
  [...earlyChunks, ...lateChunks].flatMap(({ name, paths, except = [] }) => [...paths, ...except].map((path) => [name, path] as const)),
)('the path of chunk %s matches a file: %s', (_name, path) => {
  expect(files.filter((file) => patternOf({ paths: [path] }).test(file))).not.toEqual([]);
});

it('takes files below its paths, but for the exceptions', () => {
  const pattern = patternOf({ paths: ['client/ui/', 'client/app/a.'], except: ['client/ui/b'] });
  const matched = ['client/ui/a.ts', 'client/ui/b.ts', 'client/app/a.ts', 'client/app/ab.ts', 'server/client/ui/a.ts'].filter((file) =>
    pattern.test(`/project/src/${file}`),
  );
  expect(matched).toEqual(['client/ui/a.ts', 'client/app/a.ts']);
});
