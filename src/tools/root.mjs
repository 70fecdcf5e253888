import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's folder, independent of the working directory. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

/** Returns an absolute path inside the project. */
export const at = (...parts) => join(root, ...parts);
