import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type OpenDb, openDb } from '#server/db/open.ts';
import { copyDatabase } from './empty-database.ts';

export interface TestDb extends OpenDb {
  dataDir: string;
}

/** Opens a new, empty embedded database. Closing it deletes it. */
export async function openTestDb(): Promise<TestDb> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'tidemark-test-'));
  copyDatabase(dataDir);
  const open = await openDb({ databaseUrl: undefined, dataDir });
  return {
    ...open,
    dataDir,
    async close() {
      await open.close();
      fs.rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
