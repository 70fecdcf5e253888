import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's folder, wherever it was cloned and whatever the working directory is. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

/** An absolute path inside the project. */
export const at = (...parts) => join(root, ...parts);
