import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import PostalMime from 'postal-mime';

const LIMIT_MS = 25_000;

/** Returns a function that waits for the next unread code in a folder of `.eml` files. */
export function mailReader(folder: string): (email: string) => Promise<string> {
  const seen = new Set<string>();

  async function nextCode(email: string): Promise<string | undefined> {
    const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.eml') && !seen.has(file)) : [];
    for (const file of files.sort()) {
      const mail = await PostalMime.parse(readFileSync(join(folder, file)));
      if (!mail.to?.some((to) => to.address === email)) continue;
      seen.add(file);
      const code = mail.text?.match(/^(\d{4})\r?$/m)?.[1];
      if (code) return code;
    }
    return undefined;
  }

  return async (email) => {
    const deadline = Date.now() + LIMIT_MS;
    while (Date.now() < deadline) {
      const code = await nextCode(email);
      if (code) return code;
      await setTimeout(25);
    }
    throw new Error(`No mail with a code for ${email} came within ${LIMIT_MS} ms.`);
  };
}
