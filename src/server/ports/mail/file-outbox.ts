import { randomBytes } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { createTransport } from 'nodemailer';
import { type Clock, DAY } from '#domain/clock.ts';
import { compose } from './compose.ts';
import type { MailPort } from './mail.ts';

export const outboxDir = (dataDir: string) => path.join(dataDir, 'mail');

const KEPT = 30 * DAY;
/** Maximum number of files, so that a burst of mail cannot fill the disk. */
const MAX_KEPT = 5000;
/** Messages between two cleanups in a process that writes many. */
const PRUNE_EVERY = 500;

/** Formats a time as a sortable name, such as 20260301T120000000Z. */
const stampOf = (time: number): string => new Date(time).toISOString().replace(/[-:.]/g, '');

/** Deletes messages and drafts that are older than 30 days or not among the newest 5,000. `now` in ms. */
export async function pruneOutbox(directory: string, now: number): Promise<void> {
  const names = (await fs.readdir(directory).catch(() => [])).filter((name) => /\.eml(\.part)?$/.test(name)).sort();
  const oldest = stampOf(now - KEPT);
  const old = names.filter((name, index) => name < oldest || index < names.length - MAX_KEPT);
  for (const name of old) await fs.rm(path.join(directory, name), { force: true });
}

/** Writes mail to files instead of a mail server: one RFC 5322 file per message, with names that sort by time. */
export function openFileOutbox(dataDir: string, from: string, clock: Clock): MailPort {
  const directory = outboxDir(dataDir);
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  let written = 0;
  return {
    async send(mail) {
      const date = new Date(clock());
      const { message } = await transport.sendMail(compose(mail, from, date));
      const order = String(written++ % 10_000).padStart(4, '0');
      const name = `${stampOf(date.getTime())}-${order}-${randomBytes(4).toString('hex')}.eml`;
      await fs.mkdir(directory, { recursive: true, mode: 0o700 });
      // Rename when complete, so that a reader of the folder never sees a partial message.
      const draft = path.join(directory, `${name}.part`);
      await fs.writeFile(draft, message, { mode: 0o600 });
      await fs.rename(draft, path.join(directory, name));
      if (written % PRUNE_EVERY === 0) await pruneOutbox(directory, date.getTime());
      return `file ${path.join(directory, name)}`;
    },
    close: () => transport.close(),
  };
}
