// Reads which tests a file contains, and the results of a run.
import { relative } from 'node:path';
import { parseSync } from 'vite';

/** Returns the names in a call such as `test.describe.each(…)`. */
function callNames(node) {
  if (node.type === 'Identifier') return [node.name];
  if (node.type === 'MemberExpression') return [...callNames(node.object), node.property.name];
  return node.type === 'CallExpression' ? callNames(node.callee) : [];
}

/** Returns the title as written in the source. */
function titleOf(node, text) {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value;
  return node?.type === 'TemplateLiteral' ? text.slice(node.start + 1, node.end - 1) : undefined;
}

/** Returns a pattern for the title in a run, where values replace the placeholders of a table. */
function patternOf(title, { each, template }) {
  const holes = [template && String.raw`\$\{[^}]*\}`, each && '%[sdifjoO#$]', each && String.raw`\$[a-z]\w*`].filter(Boolean);
  const fixed = holes.length > 0 ? title.split(new RegExp(holes.join('|'), 'i')) : [title];
  const escaped = fixed.map((part) => (each ? part.replaceAll('%%', '%') : part).replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${escaped.join('.*')}$`, 's');
}

/** Returns the tests of a file, each with its chain of titles and their patterns. */
export function testsIn(file, text) {
  const tests = [];
  const visit = (node, chain, patterns) => {
    if (node === null || typeof node !== 'object') return;
    if (node.type === 'CallExpression') {
      const names = callNames(node.callee);
      const title = ['describe', 'it', 'test'].includes(names[0]) && names.at(-1) !== 'step' ? titleOf(node.arguments[0], text) : undefined;
      const body = node.arguments.find(({ type }) => type === 'ArrowFunctionExpression' || type === 'FunctionExpression');
      if (title !== undefined && body) {
        const pattern = patternOf(title, { each: names.includes('each'), template: node.arguments[0].type === 'TemplateLiteral' });
        const within = [
          [...chain, title],
          [...patterns, pattern],
        ];
        if (names.includes('describe')) return visit(body, ...within);
        tests.push({ chain: within[0], patterns: within[1] });
        return;
      }
    }
    for (const child of Object.values(node)) visit(child, chain, patterns);
  };
  visit(parseSync(file, text).program, [], []);
  return tests;
}

const add = (results, file, result) => results.set(file, [...(results.get(file) ?? []), result]);

/** Returns the results of vitest's JSON report by file, relative to `folder`. */
export function vitestResults(report, folder) {
  const results = new Map();
  for (const { name, assertionResults } of report.testResults) {
    for (const { ancestorTitles, title, status } of assertionResults) {
      const said = ['passed', 'failed'].includes(status) ? status : 'skipped';
      add(results, relative(folder, name).replaceAll('\\', '/'), { chain: [...ancestorTitles, title], status: said });
    }
  }
  return results;
}

const PLAYWRIGHT = { expected: 'passed', skipped: 'skipped' };

/** Returns the results of Playwright's JSON report by file, relative to `folder`, once per screen size. A group may have no title. */
export function playwrightResults(report, folder) {
  const results = new Map();
  const read = (suite, file, chain) => {
    for (const { title, tests } of suite.specs ?? []) {
      for (const { status } of tests) add(results, file, { chain: [...chain, title], status: PLAYWRIGHT[status] ?? 'failed' });
    }
    for (const inner of suite.suites ?? []) read(inner, file, inner.title ? [...chain, inner.title] : chain);
  };
  const base = relative(folder, report.config.rootDir).replaceAll('\\', '/');
  for (const suite of report.suites) read(suite, `${base}/${suite.file}`, []);
  return results;
}
