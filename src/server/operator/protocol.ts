import * as z from 'zod/mini';
import { atMost, notEmpty } from '#contract/text.ts';
import { SHARED_SECRETS } from '../secrets.ts';

const id = z.uuid('--id must be the id of a message.');

/** Sent by `backup` alone. */
export const COPY_DATA = 'copy-data';

/** An operator's command. Command and outcome are one line of JSON each. */
export const command = z.discriminatedUnion('command', [
  z.strictObject({ command: z.enum(['contacts', 'deletions', 'users', 'metrics', 'bots', 'rotate-key', 'verify']) }),
  z.strictObject({ command: z.literal(COPY_DATA) }),
  z.strictObject({ command: z.enum(['halt', 'resume']), user: z.optional(z.uuid('--user must be the id of a user.')) }),
  z.strictObject({
    command: z.literal('forget-secret'),
    name: z.enum(SHARED_SECRETS, `--name must be ${SHARED_SECRETS.join(' or ')}.`),
  }),
  z.strictObject({ command: z.literal('erase'), user: z.uuid('--user must be the id of a user.') }),
  z.strictObject({
    command: z.literal('reply'),
    id,
    text: z.string('--text is required.').check(atMost(5000, '--text is too long.'), z.trim(), notEmpty('--text is required.')),
  }),
  z.strictObject({
    command: z.literal('file'),
    id,
    place: z.int('--place must be the number of a file.').check(z.minimum(1, '--place must be the number of a file.')),
  }),
]);
export type Command = z.infer<typeof command>;

export const outcome = z.union([z.object({ rows: z.array(z.record(z.string(), z.unknown())) }), z.object({ error: z.string() })]);
export type Outcome = z.infer<typeof outcome>;

/** The row that `file` returns. */
export const fileRow = z.object({ id: z.string(), place: z.number(), name: z.string(), type: z.string(), base64: z.string() });

/** Returns whether a command has found something wrong. */
export const hasFaults = (rows: readonly Record<string, unknown>[]): boolean => rows.some(({ faults = 0 }) => faults !== 0);
