import fs from 'node:fs/promises';

/** Syncs a folder's entries to disk. Windows cannot open folders and does not need it. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await fs.open(folder);
  await handle.sync().finally(() => handle.close());
}
