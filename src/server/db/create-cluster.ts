import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const DRAFT = '.new-';
const here = path.dirname(fileURLToPath(import.meta.url));

/** An empty database that the build has made beside the bundle (src/tools/build/build-server.mjs). */
const template = path.join(here, 'cluster');

/** Handed over as text, because the sources have no file that Node could run by itself. */
const INITDB = `
  import { PGlite } from '@electric-sql/pglite';
  const pglite = await PGlite.create(process.argv[1]);
  await pglite.close();
`;

/**
 * Makes a new, empty database directory, which appears under its name only once it is complete and on disk.
 * PostgreSQL's initdb takes several times the memory the server needs later: the built server copies what the build
 * has made, and a server run from the sources has a child process do it, which ends with this one.
 */
export async function createCluster(directory: string): Promise<void> {
  removeDrafts(directory);
  // A child that outlived a killed server may still be writing to its own draft, so each has one.
  const draft = fs.mkdtempSync(`${directory}${DRAFT}`);
  try {
    if (fs.existsSync(template)) fs.cpSync(template, draft, { recursive: true });
    else await initialise(draft);
    syncFiles(draft);
    fs.renameSync(draft, directory);
  } finally {
    fs.rmSync(draft, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function initialise(draft: string): Promise<void> {
  // Packages are looked up from the working directory of an --eval script.
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

/** What starts that were killed have left; one that is still being written to is left to the next start. */
function removeDrafts(directory: string): void {
  const folder = path.dirname(directory);
  for (const name of fs.readdirSync(folder)) {
    if (!name.startsWith(path.basename(directory) + DRAFT)) continue;
    try {
      fs.rmSync(path.join(folder, name), { recursive: true, force: true });
    } catch {
      // Written to while it was deleted.
    }
  }
}
