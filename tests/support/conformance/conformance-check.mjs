import { existsSync, readFileSync } from 'node:fs';
import { at } from '#tools/root.mjs';
import { conformanceProblems, readRows } from './conformance.mjs';
import { testsIn } from './conformance-tests.mjs';

const PAGES = ['docs/conformance.md', 'docs/bot-safety.md'];

/** Compares the tables with the test files, and with the results of a run; prints what is wrong. True when nothing is. */
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
