import fs from 'node:fs';
import path from 'node:path';

/** Set once before the server tests; test workers and the programs they start inherit it. */
const TEMPLATE = 'TEST_DATABASE_TEMPLATE';

/** Makes an empty, migrated database directory the template of `copyDatabase`. */
export function setTemplate(directory: string): void {
  process.env[TEMPLATE] = directory;
}

/** Copies the empty, migrated database into a data directory. Without a template, the first start makes its own, which takes seconds. */
export function copyDatabase(dataDir: string): void {
  const template = process.env[TEMPLATE];
  if (template) fs.cpSync(template, path.join(dataDir, 'db'), { recursive: true });
}
