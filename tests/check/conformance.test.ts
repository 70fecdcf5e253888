import { describe, expect, it } from 'vitest';
import { conformanceProblems, readRows } from '../support/conformance/conformance.mjs';
import { playwrightResults, testsIn, vitestResults } from '../support/conformance/conformance-tests.mjs';

const SOURCE = `
describe('prices', () => {
  it('are cut', () => {});
  it.each([[1], [2]])('%d is $name at 100%% (%s)', (n) => {});
  describe.each(['USD', 'BTC'])('in %s', () => {
    it.skipIf(!there)('are read', { timeout: 5 }, async () => {});
  });
});
for (const how of HOWS) test(\`opens (\${how})\`, async () => { await test.step('a step', () => {}); });
describe('costs', () => {
  it('are cut', () => {});
});
`;
const FILE = 'unit/a.test.ts';
const table = (...rows: string[]) =>
  readRows(['# Title', '| id | statement | proof |', '|---|---|---|', ...rows, '', '| other | table |'].join('\n'));
const row = (proof: string, id = '2.home.1') => `| ${id} | Says "it" | ${proof} |`;
const problems = (rows: string[], results?: Parameters<typeof conformanceProblems>[2]) =>
  conformanceProblems(table(...rows), (file) => (file === FILE ? testsIn(FILE, SOURCE) : undefined), results);
const run = (...results: [titles: string[], status: 'passed' | 'failed' | 'skipped'][]) =>
  new Map([[FILE, results.map(([chain, status]) => ({ chain, status }))]]);

describe('reading the tests of a file', () => {
  it('returns each test with its chain of titles', () => {
    expect(testsIn(FILE, SOURCE).map(({ chain }) => chain.join(' › '))).toEqual([
      'prices › are cut',
      'prices › %d is $name at 100%% (%s)',
      'prices › in %s › are read',
      `opens (\${how})`,
      'costs › are cut',
    ]);
  });

  it('matches them with the results of a run', () => {
    const [plain, table, , looped] = testsIn(FILE, SOURCE).map(({ patterns }) => patterns.at(-1));
    expect(table?.test('7 is seven at 100% (x (y))')).toBe(true);
    expect(table?.test('7 is seven at 10% (x)')).toBe(false);
    expect(looped?.test('opens (with a click)')).toBe(true);
    expect(plain?.test('are cut short')).toBe(false);
  });
});

describe('the table', () => {
  it('is valid if each row names one test', () => {
    expect(problems([row(`unit/a.test.ts › prices › are cut<br>unit/a.test.ts › opens (\${how})`)])).toEqual([]);
    expect(problems([row('`unit/a.test.ts` › %d is $name at 100%% (%s)')])).toEqual([]);
  });

  it.each([
    [
      'a test that is not there',
      [row('`unit/a.test.ts` › prices › are gone')],
      '2.home.1: no test named `unit/a.test.ts` › prices › are gone',
    ],
    ['half a title', [row('`unit/a.test.ts` › are')], '2.home.1: no test named `unit/a.test.ts` › are'],
    ['a title that two tests have', [row('`unit/a.test.ts` › are cut')], '2.home.1: 2 tests named `unit/a.test.ts` › are cut'],
    ['a file without a title', [row('`unit/a.test.ts`')], '2.home.1: no test named `unit/a.test.ts`'],
    ['a file that is not there', [row('`unit/b.test.ts` › are read')], '2.home.1: no file tests/unit/b.test.ts'],
    ['a row without a proof', [row('')], '2.home.1: has no proof'],
    ['a duplicate id', [row('`unit/a.test.ts` › are read'), row('`unit/a.test.ts` › are read')], '2.home.1: is a duplicate'],
    ['no rows', [], 'no rows found'],
  ])('is invalid with %s', (_, rows, problem) => expect(problems(rows)).toEqual([problem]));
});

describe('a run', () => {
  const oneTable = [row('`unit/a.test.ts` › %d is $name at 100%% (%s)')];
  const line = (value: string) => ['prices', `1 is one at 100% (${value})`];

  it('proves a row if all cases of its test passed', () => {
    expect(problems(oneTable, run([line('a'), 'passed'], [line('b'), 'passed'], [['costs', 'are cut'], 'failed']))).toEqual([]);
  });

  it.each([
    ['one line failed', run([line('a'), 'passed'], [line('b'), 'failed']), 'failed'],
    ['the test was skipped', run([line('a'), 'skipped']), 'was skipped'],
    ['the test did not run', run([['costs', 'are cut'], 'passed']), 'did not run'],
    ['the file did not run', new Map(), 'did not run'],
  ])('does not prove a row if %s', (_, results, what) => {
    expect(problems(oneTable, results)).toEqual([`2.home.1: ${what}: \`unit/a.test.ts\` › %d is $name at 100%% (%s)`]);
  });

  it('may skip tests that need the owner’s folder, but they may not fail', () => {
    const rows = [row('`unit/a.test.ts` › in %s › are read (needs ../shared)')];
    expect(problems(rows, run([['prices', 'in USD', 'are read'], 'skipped']))).toEqual([]);
    expect(problems(rows, run([['prices', 'in USD', 'are read'], 'failed']))).toHaveLength(1);
  });

  it('is read from both reports', () => {
    const assertionResults = [
      { ancestorTitles: ['prices'], title: 'are cut', status: 'passed' },
      { ancestorTitles: [], title: 'later', status: 'pending' },
    ];
    expect(vitestResults({ testResults: [{ name: '/repo/tests/unit/a.test.ts', assertionResults }] }, '/repo/tests')).toEqual(
      new Map([
        [
          FILE,
          [
            { chain: ['prices', 'are cut'], status: 'passed' },
            { chain: ['later'], status: 'skipped' },
          ],
        ],
      ]),
    );
    const specs = [{ title: 'opens', tests: [{ status: 'expected' }, { status: 'flaky' }] }];
    const suites = [
      { title: 'a.spec.ts', file: 'a.spec.ts', specs: [], suites: [{ title: '', specs: [], suites: [{ title: 'the app', specs }] }] },
    ];
    expect(playwrightResults({ config: { rootDir: '/repo/tests/e2e' }, suites }, '/repo/tests')).toEqual(
      new Map([
        [
          'e2e/a.spec.ts',
          [
            { chain: ['the app', 'opens'], status: 'passed' },
            { chain: ['the app', 'opens'], status: 'failed' },
          ],
        ],
      ]),
    );
  });
});
