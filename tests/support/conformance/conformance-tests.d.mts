export interface TestTitle {
  chain: string[];
  patterns: RegExp[];
}
export interface TestResult {
  chain: string[];
  status: 'passed' | 'failed' | 'skipped';
}
export function testsIn(file: string, text: string): TestTitle[];
export function vitestResults(report: unknown, folder: string): Map<string, TestResult[]>;
export function playwrightResults(report: unknown, folder: string): Map<string, TestResult[]>;
