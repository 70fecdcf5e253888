import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const DRAFT = '.new-';
const here = path.dirname(fileURLToPath(import.meta.url));

/** Empty database that the build creates beside the bundle (src/tools/build/build-server.mjs). */
const template = path.join(here, 'cluster');

/** Passed as text, because Node cannot run a source file by itself. */
const INITDB = `
  import { PGlite } from '@electric-sql/pglite';
  const pglite = await PGlite.create(process.argv[1]);
  await pglite.close();
`;

/**
 * Creates an empty database directory. It appears under its name only when it is complete and on disk. PostgreSQL's
 * initdb needs several times the server's memory, so a child process runs it, or the built server copies a template.
 */
export async function createCluster(directory: string): Promise<void> {
  removeDrafts(directory);
  // A child of a killed server may still write to its draft, so each start uses its own.
  const draft = fs.mkdtempSync(`${directory}${DRAFT}`);
  try {
    if (fs.existsSync(template)) fs.cpSync(template, draft, { recursive: true });
    else await initialize(draft);
    syncFiles(draft);
    fs.renameSync(draft, directory);
  } finally {
    fs.rmSync(draft, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function initialize(draft: string): Promise<void> {
  // An --eval script resolves packages from the working directory.
  const initdb = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', INITDB, draft], { cwd: here });
  const end = () => {
    initdb.child.kill('SIGKILL');
    fs.rmSync(draft, { recursive: true, force: true, maxRetries: 5 });
  };
  process.once('exit', end);
  await initdb.finally(() => process.off('exit', end));
}

function syncFiles(directory: string): void {
  for (const entry of fs.readdirSync(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = fs.openSync(path.join(entry.parentPath, entry.name), 'r+');
    fs.fsyncSync(file);
    fs.closeSync(file);
  }
}

/** Removes drafts of killed starts. A draft that is still being written stays until the next start. */
function removeDrafts(directory: string): void {
  const folder = path.dirname(directory);
  for (const name of fs.readdirSync(folder)) {
    if (!name.startsWith(path.basename(directory) + DRAFT)) continue;
    try {
      fs.rmSync(path.join(folder, name), { recursive: true, force: true });
    } catch {
      // Another process wrote to it during the deletion.
    }
  }
}
