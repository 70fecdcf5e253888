import fs from 'node:fs/promises';
import path from 'node:path';
import PostalMime from 'postal-mime';

const MAX_SHOWN = 50;

export interface Message {
  to: string;
  subject: string;
  /** ISO 8601, UTC. */
  date: string;
  text: string;
}

/** Returns the messages in an outbox folder, newest first. */
export async function readMessages(directory: string): Promise<Message[]> {
  const names = await fs.readdir(directory).catch(() => []);
  const latest = names
    .filter((name) => name.endsWith('.eml'))
    .sort()
    .reverse()
    .slice(0, MAX_SHOWN);
  return Promise.all(latest.map(async (name) => parse(await fs.readFile(path.join(directory, name)))));
}

async function parse(source: Uint8Array): Promise<Message> {
  const { to, subject, date, text } = await PostalMime.parse(source);
  return {
    to: to?.map((recipient) => recipient.address).join(', ') ?? '',
    subject: subject ?? '',
    date: date ?? '',
    text: text?.trim() ?? '',
  };
}
