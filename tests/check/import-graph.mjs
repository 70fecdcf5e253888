import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { cruise } from 'dependency-cruiser';
import { parseSync } from 'vite';
import { at } from '#tools/root.mjs';
import { forbidden } from './import-rules.mjs';

export const ruleNames = forbidden.map((rule) => rule.name);

const FOLDERS = ['src', 'sw'];

/** Returns every module that a TypeScript file imports, re-exports, or names in `import()` or `import('…').Type`. */
function importsOf(file, text) {
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`);
  const found = new Set();
  const visit = (node) => {
    if (node === null || typeof node !== 'object') return;
    if (typeof node.source?.value === 'string') found.add(node.source.value);
    for (const child of Object.values(node)) visit(child);
  };
  visit(program);
  return [...found];
}

const isTypeScript = (file) => /\.tsx?$/.test(file);
const asScript = (path) => path.replace(/\?.*$/, '').replace(/(?<!\.d)\.tsx?$/, '.js');

/**
 * Copies the tree for dependency-cruiser, which can't read our TypeScript (docs/architecture.md): each file holds only its imports,
 * as JavaScript. Returns the original names by the copy's.
 */
function copyImports(base, copy) {
  const names = new Map();
  for (const folder of FOLDERS) {
    for (const entry of readdirSync(join(base, folder), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const original = join(entry.parentPath, entry.name);
      const name = relative(base, original).replaceAll('\\', '/');
      const lines = isTypeScript(name) ? importsOf(name, readFileSync(original, 'utf8')).map((to) => `import '${asScript(to)}';\n`) : [];
      names.set(asScript(name), name);
      mkdirSync(dirname(join(copy, name)), { recursive: true });
      writeFileSync(join(copy, asScript(name)), lines.join(''));
    }
  }
  return names;
}

/** Returns the broken import rules below `base` (a folder with src and sw), one line each. */
export async function brokenImportRules(base) {
  const copy = mkdtempSync(join(tmpdir(), 'tidemark-imports-'));
  try {
    symlinkSync(at('node_modules'), join(copy, 'node_modules'), 'junction');
    writeFileSync(join(copy, 'package.json'), readFileSync(at('package.json')));
    const names = copyImports(base, copy);
    const { output } = await cruise(
      FOLDERS,
      {
        baseDir: copy,
        validate: true,
        ruleSet: { forbidden },
        doNotFollow: { path: 'node_modules' },
        combinedDependencies: true,
      },
      {
        extensions: ['.js', '.json'],
        conditionNames: ['import', 'node', 'default', 'types'],
        exportsFields: ['exports'],
        mainFields: ['module', 'main', 'types'],
      },
    );
    const original = (path) => names.get(path) ?? path;
    return output.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${original(from)} → ${original(to)}`);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}
