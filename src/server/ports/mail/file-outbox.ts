import { randomBytes } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { createTransport } from 'nodemailer';
import type { Clock } from '../../../domain/clock';
import { compose } from './compose';
import type { MailPort } from './mail';

export const outboxDir = (dataDir: string) => path.join(dataDir, 'mail');

/** Mail without a mail server: each message is one RFC 5322 file, whose name sorts by the time it was written. */
export function openFileOutbox(dataDir: string, from: string, clock: Clock): MailPort {
  const directory = outboxDir(dataDir);
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  let written = 0;
  return {
    async send(mail) {
      const date = new Date(clock());
      const { message } = await transport.sendMail(compose(mail, from, date));
      const order = String(written++ % 10_000).padStart(4, '0');
      const name = `${date.toISOString().replace(/[-:.]/g, '')}-${order}-${randomBytes(4).toString('hex')}.eml`;
      await fs.mkdir(directory, { recursive: true, mode: 0o700 });
      // Under its name a message is always whole, whoever looks into the folder.
      const draft = path.join(directory, `${name}.part`);
      await fs.writeFile(draft, message, { mode: 0o600 });
      await fs.rename(draft, path.join(directory, name));
      return `file ${path.join(directory, name)}`;
    },
    close: () => transport.close(),
  };
}
