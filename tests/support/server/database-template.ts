import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { openDb } from '#server/db/open.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** An empty, migrated database directory. initdb takes seconds, a copy takes none. */
    databaseTemplate: string;
  }
}

/** Runs once before all server tests; what it returns runs after them. */
export async function setup(project: TestProject): Promise<() => void> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'tidemark-template-'));
  const { close } = await openDb({ databaseUrl: undefined, dataDir });
  await close();
  project.provide('databaseTemplate', path.join(dataDir, 'db'));
  return () => fs.rmSync(dataDir, { recursive: true, force: true });
}
