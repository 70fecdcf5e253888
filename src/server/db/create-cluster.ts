import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const DRAFT = '.new-';

/** Runs in a process of its own, so it is handed over as text: it has to work from the sources and from the bundle. */
const SCRIPT = `
  import fs from 'node:fs';
  import path from 'node:path';
  import { PGlite } from '@electric-sql/pglite';
  const directory = process.argv[1];
  const pglite = await PGlite.create(directory);
  await pglite.close();
  for (const entry of fs.readdirSync(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = fs.openSync(path.join(entry.parentPath ?? entry.path, entry.name), 'r+');
    fs.fsyncSync(file);
    fs.closeSync(file);
  }
`;

/**
 * Makes a new, empty database directory. PostgreSQL's initdb takes several times the memory the server needs later,
 * so a child process runs it, and ends with this one. The directory appears under its name only once it is complete
 * and on disk.
 */
export async function createCluster(directory: string): Promise<void> {
  removeDrafts(directory);
  // A child that outlived a killed server may still be writing to its own draft, so each has one.
  const draft = fs.mkdtempSync(`${directory}${DRAFT}`);
  // Packages are looked up from the working directory of an --eval script.
  const cwd = path.dirname(fileURLToPath(import.meta.url));
  const initdb = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', SCRIPT, draft], { cwd });
  const end = () => {
    initdb.child.kill('SIGKILL');
    fs.rmSync(draft, { recursive: true, force: true, maxRetries: 5 });
  };
  process.once('exit', end);
  await initdb.finally(() => process.off('exit', end));
  fs.renameSync(draft, directory);
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
