import { existsSync } from 'node:fs';
import path from 'node:path';
import { StartupError } from '../startup-error.ts';

/** Throws `StartupError` for a data directory without an embedded database. */
export function demandDatabase(dataDir: string): void {
  if (!existsSync(path.join(dataDir, 'db'))) throw new StartupError(`DATA_DIR: there is no database at ${dataDir}.`);
}
