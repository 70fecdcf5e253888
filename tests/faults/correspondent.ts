import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { openDurable } from '#server/db/embedded/durable.ts';
import { blackPng } from '../support/charts/pictures.ts';
import type { RunningApp } from '../support/processes/app.ts';
import type { Account } from './api.ts';
import type { Tally } from './tally.ts';

/** A user who sends messages to support one by one, each under its key until it is acknowledged. */
export interface Correspondent {
  live(life: AbortSignal): Promise<void>;
  /** Counts acknowledged messages that are lost, duplicated or without a file, in the data of a stopped server. */
  losses(dataDir: string): Promise<number>;
}

const MAX_FILES = 3;

export function createCorrespondent(app: RunningApp, { userId, token, email }: Account, random: () => number, tally: Tally): Correspondent {
  const acknowledged = new Map<string, { files: number }>();
  let unsent: { text: string; files: number } | undefined;

  async function write(signal: AbortSignal): Promise<boolean> {
    unsent ??= { text: randomUUID(), files: Math.floor(random() * (MAX_FILES + 1)) };
    const { text, files } = unsent;
    const form = new FormData();
    for (const [name, value] of Object.entries({ user_id: userId, name: 'Ada', email, message: text })) form.set(name, value);
    for (let count = 0; count < files; count++) form.append('files', new Blob([blackPng(40, 40)]), 'a.png');
    const headers = { authorization: `Bearer ${token}`, 'idempotency-key': text };
    const { status } = await fetch(`${app.url}/api/contact-us/send-message`, { method: 'POST', headers, body: form, signal });
    if (status === 429) return false; // an hourly limit, which resets with the next server
    if (status !== 200) throw new Error(`A message to support was answered with ${status}`);
    acknowledged.set(text, { files });
    tally.add();
    unsent = undefined;
    return true;
  }

  return {
    async live(life) {
      for (let busy = true; busy && !life.aborted; ) {
        busy = await write(life).catch((error: unknown) => {
          // No answer means that the server was killed, which ends this round.
          if (error instanceof TypeError || life.aborted) return false;
          throw error;
        });
      }
    },

    async losses(dataDir) {
      const database = await openDurable(path.join(dataDir, 'db'));
      try {
        const { rows } = await database.query<{ message: string; files: number }>(
          `select message, (select count(*)::int from contact_files where message_id = contact_messages.id) as files
             from contact_messages where user_id = $1`,
          [userId],
        );
        const found = (text: string) => rows.filter(({ message }) => message === text);
        const gone = [...acknowledged].filter(([text, { files }]) => found(text).length !== 1 || found(text)[0]?.files !== files);
        const doubled = rows.filter(({ message }) => !acknowledged.has(message) && found(message).length > 1);
        return gone.length + doubled.length;
      } finally {
        await database.close();
      }
    },
  };
}
