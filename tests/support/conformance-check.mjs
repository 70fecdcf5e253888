import { existsSync, readFileSync } from 'node:fs';
import { at } from '../../src/tools/root.mjs';
import { conformanceProblems, readRows } from './conformance.mjs';
import { testsIn } from './conformance-tests.mjs';

/** Compares docs/conformance.md with the test files, and with the results of a run; prints what is wrong. True when nothing is. */
export function checkConformance(results) {
  const known = new Map();
  const testsOf = (file) => {
    const path = at('tests', file);
    if (!known.has(file)) known.set(file, /\.tsx?$/.test(file) && existsSync(path) ? testsIn(file, readFileSync(path, 'utf8')) : undefined);
    return known.get(file);
  };
  const rows = readRows(readFileSync(at('docs/conformance.md'), 'utf8'));
  const problems = conformanceProblems(rows, testsOf, results);
  for (const problem of problems) console.error(`✗ ${problem}`);
  console.log(`${rows.length} statements, ${problems.length} problems`);
  return problems.length === 0;
}
