import type { TestResult, TestTitle } from './conformance-tests.mjs';

interface Row {
  id: string;
  statement: string;
  proofs: { text: string; file: string; titles: string[]; needsShared: boolean }[];
}
export function readRows(markdown: string): Row[];
export function conformanceProblems(
  rows: readonly Row[],
  testsOf: (file: string) => readonly TestTitle[] | undefined,
  results?: ReadonlyMap<string, readonly TestResult[]>,
): string[];
