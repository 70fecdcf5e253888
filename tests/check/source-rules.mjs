// Rules about files, folders and functions. tests/check/source-rules.test.ts breaks each one on purpose.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix, relative } from 'node:path';
import { parseSync } from 'vite';
import { plainLanguage } from './plain-language.mjs';

const MAX_FILES = 20;
const MAX_LINES = 80;
/** Data and generated files: drizzle-kit reads all migrations from one folder, and people do not browse these. */
const DATA = /(^|\/)(migrations|fixtures|snapshot)(\/|$)/;
const TEXT = /\.(ts|tsx|mts|mjs|css|md)$/;
const CODE = /(?<!\.d)\.(ts|tsx|mts|mjs)$/;

/** Returns every file of the project's source folders and its Markdown files, with `/` between folders. */
function listFiles(base) {
  const documents = readdirSync(base).filter((name) => name.endsWith('.md'));
  return [...documents, ...listSources(base)].sort();
}

function listSources(base) {
  return ['src', 'sw', 'tests', 'docs']
    .filter((root) => existsSync(join(base, root)))
    .flatMap((root) => readdirSync(join(base, root), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => relative(base, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
}

/** Calls `visit(node, parent)` for each syntax node below `node`. */
function walk(node, visit, parent) {
  if (node === null || typeof node !== 'object') return;
  const isNode = typeof node.type === 'string';
  if (isNode) visit(node, parent);
  for (const child of Object.values(node)) walk(child, visit, isNode ? node : parent);
}

/** Returns 'a.b' for a call of `a.b(…)`, `a.b(…)(…)` and a.b`…`(…). */
function nameOfCallee({ type, name, object, property, callee, tag }) {
  if (type === 'Identifier') return name;
  if (type === 'MemberExpression') return `${nameOfCallee(object)}.${property.name}`;
  return callee || tag ? nameOfCallee(callee ?? tag) : '';
}

const isFunction = ({ type }) => ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'].includes(type);
/** A `describe` block is a list of tests. */
const isTestGroup = (parent) => parent?.type === 'CallExpression' && /^(test\.)?describe\b/.test(nameOfCallee(parent.callee));
const nameOfFunction = (node, parent) => node.id?.name ?? parent?.id?.name ?? parent?.key?.name ?? 'anonymous';

/** Each function, closures included, longer than 80 lines. */
function longFunctions({ file, text, program }) {
  const found = [];
  walk(program, (node, parent) => {
    if (!isFunction(node) || isTestGroup(parent)) return;
    const lines = text.slice(node.start, node.end).split('\n').length;
    if (lines > MAX_LINES) found.push({ place: `${file} ${nameOfFunction(node, parent)}`, message: `has ${lines} lines` });
  });
  return found;
}

/** Each import, `import()` and `import('…').Type` that climbs more than one folder. */
function climbingImports({ file, program }) {
  const found = [];
  walk(program, ({ source }) => {
    if (String(source?.value).startsWith('../../'))
      found.push({ place: file, message: `imports ${source.value}: use #client/…, #server/… and so on` });
  });
  return found;
}

/** Each transaction that Dexie may lose: src/client/platform/db/transact.ts says when. */
const rawTransactions = ({ file, text }) =>
  /^(src\/client|sw)\//.test(file) && !file.endsWith('/db/transact.ts') && text.includes(".transaction('rw'")
    ? [{ place: file, message: 'opens a transaction of its own: use transact' }]
    : [];

/** Each folder of more than 20 files. */
function crowdedFolders({ files }) {
  const counts = new Map();
  for (const file of files) if (!DATA.test(file)) counts.set(posix.dirname(file), (counts.get(posix.dirname(file)) ?? 0) + 1);
  return [...counts].filter(([, count]) => count > MAX_FILES).map(([place, count]) => ({ place, message: `has ${count} files` }));
}

/** Each test below tests/unit whose path names neither a source file nor a folder of src. */
function strayUnitTests({ files }) {
  const sources = new Set(files.flatMap((file) => [file.replace(CODE, ''), posix.dirname(file)]));
  return files
    .filter((file) => /^tests\/unit\/.*\.test\.tsx?$/.test(file))
    .filter((file) => !sources.has(file.replace(/^tests\/unit\//, 'src/').replace(/\.test\.tsx?$/, '')))
    .map((place) => ({ place, message: 'tests no file or folder of src at the same path' }));
}

const treeRules = { 'crowded-folder': crowdedFolders, 'stray-unit-test': strayUnitTests };
const codeRules = { 'long-function': longFunctions, 'climbing-import': climbingImports };
const textRules = { 'plain-language': plainLanguage, 'raw-transaction': rawTransactions };

export const sourceRuleNames = [...Object.keys(treeRules), ...Object.keys(codeRules), ...Object.keys(textRules)];

/**
 * Returns the broken source rules below `base`, one line each, and the unused exceptions.
 * @param {string} base folder that holds src, sw, tests and docs
 * @param {Record<string, string[]>} exceptions places that may break a rule, by the rule's name
 */
export function brokenSourceRules(base, exceptions = {}) {
  const files = listFiles(base);
  const texts = files
    .filter((file) => TEXT.test(file) && !DATA.test(file))
    .map((file) => ({ file, text: readFileSync(join(base, file), 'utf8') }));
  const parsed = texts
    .filter(({ file }) => CODE.test(file))
    .map((source) => ({ ...source, program: parseSync(source.file, source.text).program }));
  const violations = {
    ...runRules(treeRules, [{ files }]),
    ...runRules(codeRules, parsed),
    ...runRules(textRules, texts),
  };
  return Object.entries(violations).flatMap(([rule, found]) => [
    ...found.filter(({ place }) => !exceptions[rule]?.includes(place)).map(({ place, message }) => `${rule}: ${place} ${message}`),
    ...(exceptions[rule] ?? [])
      .filter((known) => !found.some(({ place }) => place === known))
      .map((known) => `${rule}: ${known} needs no exception: delete it from tests/check/known-exceptions.mjs`),
  ]);
}

const runRules = (rules, subjects) => Object.fromEntries(Object.entries(rules).map(([rule, check]) => [rule, subjects.flatMap(check)]));
