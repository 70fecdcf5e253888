import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { StartupError } from './startup-error.ts';

/** Secrets that all processes on one database share. */
export const SHARED_SECRETS = ['JWT_SECRET', 'SECRETS_KEY'] as const;
export type SharedSecret = (typeof SHARED_SECRETS)[number];

/** Creates the data directory. Throws `StartupError` when it is not writable. */
export function prepareDataDir(dataDir: string): void {
  try {
    makeFolder(dataDir);
    // access(2) succeeds for root even on a read-only file system; creating a file does not.
    fs.rmdirSync(fs.mkdtempSync(path.join(dataDir, '.probe-')));
  } catch (error) {
    throw new StartupError(`DATA_DIR: cannot write to ${dataDir} (${(error as NodeJS.ErrnoException).code ?? 'unknown error'}).`);
  }
}

/** Like mkdir -p. Node's recursive mkdir never returns in folders such as /proc. */
function makeFolder(folder: string): void {
  const make = () => fs.mkdirSync(folder, { mode: 0o700 });
  try {
    make();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT' || path.dirname(folder) === folder) throw error;
    makeFolder(path.dirname(folder));
    make();
  }
}

/** Returns the secret stored in `dataDir` under `name`, created on first use: 32 random bytes in base64url, readable by the owner only. */
export function storedSecret(dataDir: string, name: string): string {
  const file = path.join(dataDir, name);
  if (!fs.existsSync(file)) createOnce(file, randomBytes(32).toString('base64url'));
  return fs.readFileSync(file, 'utf8').trim();
}

const previousOf = (name: string): string => `${name}.previous`;

/** Returns the secret that `replaceStoredSecret` replaced, if any. */
export function previousSecret(dataDir: string, name: string): string | undefined {
  const file = path.join(dataDir, previousOf(name));
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim() : undefined;
}

/** Creates a new secret and keeps the old one as `NAME.previous`. A crash at any moment loses neither. */
export function replaceStoredSecret(dataDir: string, name: string): string {
  const next = randomBytes(32).toString('base64url');
  replaceFile(dataDir, previousOf(name), storedSecret(dataDir, name));
  replaceFile(dataDir, name, next);
  return next;
}

/** Writes a file durably, its name included. */
function replaceFile(folder: string, name: string, content: string): void {
  const draft = path.join(folder, `${name}.${process.pid}`);
  fs.writeFileSync(draft, `${content}\n`, { mode: 0o600, flush: true });
  fs.renameSync(draft, path.join(folder, name));
  syncFolder(folder);
}

/** Windows cannot open folders; its file system journals names. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = fs.openSync(folder, 'r');
  try {
    fs.fsyncSync(handle);
  } finally {
    fs.closeSync(handle);
  }
}

/** Creates a file atomically: of two processes that start at once, the second keeps the first one's file. */
function createOnce(file: string, content: string): void {
  const draft = `${file}.${process.pid}`;
  fs.writeFileSync(draft, `${content}\n`, { mode: 0o600, flush: true });
  try {
    fs.linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    fs.rmSync(draft);
  }
}
