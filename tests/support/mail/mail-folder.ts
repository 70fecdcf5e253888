import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import PostalMime from 'postal-mime';

const LIMIT_MS = 25_000;

/** Returns a function that waits for the next unread code in a folder of `.eml` files. */
export function mailReader(folder: string): (email: string) => Promise<string> {
  const parsed = new Set<string>();
  /** Codes by address, oldest first. */
  const unread = new Map<string, string[]>();

  async function parseNew(): Promise<void> {
    const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.eml') && !parsed.has(file)) : [];
    for (const file of files.sort()) {
      parsed.add(file);
      const mail = await PostalMime.parse(readFileSync(join(folder, file)));
      const code = mail.text?.match(/^(\d{4})\r?$/m)?.[1];
      if (code) for (const { address = '' } of mail.to ?? []) unread.set(address, [...(unread.get(address) ?? []), code]);
    }
  }

  return async (email) => {
    const deadline = Date.now() + LIMIT_MS;
    while (Date.now() < deadline) {
      await parseNew();
      const code = unread.get(email)?.shift();
      if (code) return code;
      await setTimeout(25);
    }
    throw new Error(`No mail with a code for ${email} came within ${LIMIT_MS} ms.`);
  };
}
