import { describe, expect, test } from 'vitest';
import { createProject } from './project.ts';
import { brokenSourceRules, sourceRuleNames } from './source-rules.mjs';

const lines = (count: number) => '\n'.repeat(count - 1);
const folder = (path: string, count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`${path}/f${n}.ts`, '']));

/** For each rule, projects that break it, with the place each must name. */
const offences: Record<string, [place: string, files: Record<string, string>][]> = {
  'crowded-folder': [
    ['src/server', folder('src/server', 21)],
    ['docs', folder('docs', 21)],
  ],
  'stray-unit-test': [
    ['tests/unit/domain/a.test.ts', { 'tests/unit/domain/a.test.ts': '', 'src/domain/b/a.ts': '' }],
    ['tests/unit/client/a.test.tsx', { 'tests/unit/client/a.test.tsx': '', 'src/a.ts': '' }],
  ],
  'long-function': [
    ['src/a.ts declared', { 'src/a.ts': `export function declared() {${lines(81)}}` }],
    ['src/a.tsx Arrow', { 'src/a.tsx': `export const Arrow = () => <p>${lines(81)}</p>;` }],
    ['src/a.ts method', { 'src/a.ts': `export const a = { method() {${lines(81)}} };` }],
    ['src/a.ts inner', { 'src/a.ts': `export class Outer { inner() {${lines(81)}} }` }],
    ['tests/a.test.ts anonymous', { 'tests/a.test.ts': `describe('a', () => { test('b', () => {${lines(81)}}); });` }],
  ],
  'plain-language': [
    ['src/a.ts', { 'src/a.ts': '/** The limit (spec §9). */' }],
    ['docs/a.md', { 'docs/a.md': 'Whoever reads this' }],
    ['README.md', { 'README.md': 'The data lies here.' }],
    ['tests/a.test.ts', { 'tests/a.test.ts': "test('tells of an error', () => {});" }],
  ],
  'raw-transaction': [
    ['src/client/a.ts', { 'src/client/a.ts': "db.transaction('rw', db.tables, async () => {});" }],
    ['sw/a.ts', { 'sw/a.ts': "db.transaction('rw', db.tables, async () => {});" }],
  ],
  'climbing-import': [
    ['src/a/b/c.ts', { 'src/a/b/c.ts': "import '../../d.ts';" }],
    ['src/a/b/c.ts', { 'src/a/b/c.ts': "import type { D } from '../../d.ts';" }],
    ['src/a/b/c.ts', { 'src/a/b/c.ts': "export * from '../../d.ts';" }],
    ['src/a/b/c.ts', { 'src/a/b/c.ts': "type D = import('../../d.ts').D;" }],
    ['tests/a/b/c.ts', { 'tests/a/b/c.ts': "const d = () => import('../../../d.ts');" }],
  ],
};

describe('source rules', () => {
  test('each rule has a project that breaks it', () => {
    expect(Object.keys(offences).sort()).toEqual([...sourceRuleNames].sort());
  });

  test.each(Object.entries(offences).flatMap(([rule, projects]) => projects.map(([place, files]) => ({ rule, place, files }))))(
    '$rule reports $place',
    ({ rule, place, files }) => {
      const base = createProject(files);
      expect(brokenSourceRules(base).filter((line) => line.startsWith(`${rule}: ${place} `))).toHaveLength(1);
      expect(brokenSourceRules(base, { [rule]: [place] }).filter((line) => line.startsWith(`${rule}: ${place} `))).toEqual([]);
    },
  );

  test.each(sourceRuleNames)('%s reports an unused exception', (rule) => {
    const base = createProject({ 'src/a.ts': '' });
    expect(brokenSourceRules(base, { [rule]: ['src/a.ts'] })).toEqual([
      `${rule}: src/a.ts needs no exception: delete it from tests/check/known-exceptions.mjs`,
    ]);
  });

  test('a valid project breaks no rule', () => {
    const base = createProject({
      ...folder('src/server', 20),
      ...folder('tests/fixtures/prices', 40),
      'src/domain/plans/plans.ts': `import '../clock.ts';\nimport '#contract/text.ts';\nexport const plan = () => {${lines(79)}};`,
      'tests/unit/domain/plans/plans.test.ts': `import '#domain/plans/plans.ts';\ndescribe('plans', () => {${lines(200)}});`,
      'README.md': 'Relies on plain language: it applies, implies and supplies.',
      'tests/unit/domain/plans.test.ts': `describe.each([1])('%d', () => {${lines(200)}});`,
    });
    expect(brokenSourceRules(base)).toEqual([]);
  });
});
