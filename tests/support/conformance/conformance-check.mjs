import { existsSync, readFileSync } from 'node:fs';
import { at } from '#tools/root.mjs';
import { conformanceProblems, readRows } from './conformance.mjs';
import { testsIn } from './conformance-tests.mjs';

const PAGES = ['docs/conformance.md', 'docs/bot-safety.md'];

/** Compares the tables with the test files and the results of a run, and prints problems. Returns whether there are none. */
export function checkConformance(results) {
  const known = new Map();
  const testsOf = (file) => {
    const path = at('tests', file);
    if (!known.has(file)) known.set(file, /\.tsx?$/.test(file) && existsSync(path) ? testsIn(file, readFileSync(path, 'utf8')) : undefined);
    return known.get(file);
  };
  const rows = PAGES.flatMap((page) => readRows(readFileSync(at(page), 'utf8')));
  const problems = conformanceProblems(rows, testsOf, results);
  for (const problem of problems) console.error(`✗ ${problem}`);
  console.log(`${rows.length} statements, ${problems.length} problems`);
  return problems.length === 0;
}
