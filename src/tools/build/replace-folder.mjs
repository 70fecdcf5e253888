import { readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Removes the drafts that killed builds left. No other process builds meanwhile (src/tools/alone.mjs). */
function removeDrafts(target) {
  const isDraft = new RegExp(`^${basename(target)}\\.\\d+$`);
  for (const name of readdirSync(dirname(target)))
    if (isDraft.test(name)) rmSync(join(dirname(target), name), { recursive: true, force: true });
}

/** Makes a folder aside and puts it in place of the last one. Until the caller writes `<target>.stamp`, the folder counts as stale. */
export async function replaceFolder(target, make) {
  removeDrafts(target);
  // A kill after the swap, or in the middle of it, must not leave the stamp of the last folder.
  rmSync(`${target}.stamp`, { force: true });
  const draft = `${target}.${process.pid}`;
  try {
    await make(draft);
    rmSync(target, { recursive: true, force: true });
    renameSync(draft, target);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}
