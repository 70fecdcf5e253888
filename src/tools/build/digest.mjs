import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { at, root } from '../root.mjs';

const filesUnder = (path) =>
  statSync(at(path)).isDirectory()
    ? readdirSync(at(path), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
    : [at(path)];

/** Returns a hash of the names and contents of files and folders, and of `words`. */
export function digest(paths, words = []) {
  const hash = createHash('sha256').update(words.join('\0'));
  for (const file of paths
    .filter((path) => existsSync(at(path)))
    .flatMap(filesUnder)
    .sort()) {
    hash.update(`\0${relative(root, file)}\0`).update(readFileSync(file));
  }
  return hash.digest('hex');
}
