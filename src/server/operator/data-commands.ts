import path from 'node:path';
import * as z from 'zod/mini';
import type { Rows } from './commands.ts';
import { BLOB_STORES } from './move/blob-stores.ts';

const file = (name: string) =>
  z.string(`--${name} must be the name of a file.`).check(z.refine((value) => value !== '', `--${name} must be the name of a file.`));

/** Commands that this process runs itself, because they need the data at rest or a snapshot of it. */
export const dataCommand = z.discriminatedUnion('command', [
  z.strictObject({ command: z.literal('backup'), to: file('to') }),
  z.strictObject({ command: z.literal('restore'), from: file('from') }),
  z.strictObject({ command: z.literal('move-pictures'), to: z.enum(BLOB_STORES, `--to must be ${BLOB_STORES.join(' or ')}.`) }),
  z.strictObject({
    command: z.enum(['move', 'verify']),
    to: z
      .string('--to must be an address such as postgres://user@host/database.')
      .check(
        z.refine(
          (to) => /^postgres(ql)?:\/\/./.test(to) && URL.canParse(to),
          '--to must be an address such as postgres://user@host/database.',
        ),
      ),
  }),
]);
export type DataCommand = z.infer<typeof dataCommand>;

export const isDataCommand = (asked: { command: string }): asked is DataCommand => 'to' in asked || 'from' in asked;

/** Runs a data command. INIT_CWD is the folder that npm was called in. */
export async function runDataCommand(asked: DataCommand, dataDir: string): Promise<Rows> {
  const resolved = (name: string) => path.resolve(process.env.INIT_CWD ?? '.', name);
  switch (asked.command) {
    case 'backup':
      return (await import('./backup/backup.ts')).backup(dataDir, resolved(asked.to));
    case 'restore':
      return (await import('./backup/restore.ts')).restore(dataDir, resolved(asked.from));
    case 'move':
      return (await import('./move/move.ts')).move(dataDir, asked.to);
    case 'move-pictures':
      return (await import('./move/move-blobs.ts')).moveBlobs(dataDir, asked.to);
    case 'verify':
      return (await import('./move/move.ts')).compare(dataDir, asked.to);
  }
}
