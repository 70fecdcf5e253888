import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const isProgram = (path) => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** The path of the first of these programs: on the PATH, or given by its whole path. Undefined when there is none. */
export function findProgram(names) {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return names.flatMap((name) => (name.includes('/') ? [name] : folders.map((folder) => join(folder, name)))).find(isProgram);
}
