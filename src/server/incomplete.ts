import fs from 'node:fs';
import path from 'node:path';
import { StartupError } from './startup-error.ts';

/** File in a data directory while a restore fills it. */
export const MARKER = 'incomplete-restore';

const markerOf = (dataDir: string): string => path.join(dataDir, MARKER);

export const isIncomplete = (dataDir: string): boolean => fs.existsSync(markerOf(dataDir));

export const markIncomplete = (dataDir: string): void => fs.writeFileSync(markerOf(dataDir), '', { mode: 0o600, flush: true });

export const markComplete = (dataDir: string): void => fs.rmSync(markerOf(dataDir));

/** Throws `StartupError` for a data directory that a killed restore left behind. */
export function demandComplete(dataDir: string): void {
  if (!isIncomplete(dataDir)) return;
  throw new StartupError(`DATA_DIR: ${dataDir} holds an unfinished restore. Run the restore again; it starts over.`);
}
