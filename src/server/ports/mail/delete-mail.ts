import fs from 'node:fs/promises';
import path from 'node:path';
import { domainToASCII } from 'node:url';
import PostalMime from 'postal-mime';
import { outboxDir } from './file-outbox.ts';

/** Deletes the mail files to this address, including drafts of a killed server, and returns their number. */
export async function deleteMailTo(dataDir: string, email: string): Promise<number> {
  const directory = outboxDir(dataDir);
  const names = await fs.readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  let deleted = 0;
  for (const name of names) {
    const file = path.join(directory, name);
    const source = await fs.readFile(file).catch(() => undefined);
    if (!source || !(await isTo(source, email))) continue;
    await fs.rm(file, { force: true });
    deleted += 1;
  }
  return deleted;
}

async function isTo(source: Uint8Array, email: string): Promise<boolean> {
  const { to } = await PostalMime.parse(source);
  return to?.some(({ address }) => address !== undefined && asSent(address) === asSent(email)) ?? false;
}

/** Lowercases an address and writes its domain as mail programs do. */
function asSent(email: string): string {
  const at = email.lastIndexOf('@');
  return `${email.slice(0, at).toLowerCase()}@${domainToASCII(email.slice(at + 1))}`;
}
