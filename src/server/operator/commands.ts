import { type Clock, DAY } from '#domain/clock.ts';
import type { Audit } from '../audit.ts';
import type { BotOperations } from '../bots/api/operator.ts';
import type { Bots } from '../bots/bots.ts';
import type { Db } from '../db/open.ts';
import type { CountClock } from '../db/windows.ts';
import { reportGuesses } from '../guess-report.ts';
import type { Contacts } from '../modules/contacts/service.ts';
import { forgetSecret } from '../settings/shared-secrets.ts';
import type { Erasure } from './erasure/erase.ts';
import { COPY_DATA, type Command } from './protocol.ts';
import { count, findUsers } from './store.ts';

const OLD_KEY_UNUSED =
  'No bot key is encrypted under the old key. Remove SECRETS_KEY_PREVIOUS or delete secrets-key.previous, then restart all processes. Older backups need the old key.';
const SECRET_FORGOTTEN = 'Give every process the new value and restart it. The first one to start decides which value that is.';

export type Rows = Record<string, unknown>[];

/** Returns a function that runs an operator's command. `startedAt`: when the server started, ms; null without a server. */
export function createCommands(options: {
  db: Db;
  clock: Clock;
  countClock: CountClock;
  contacts: Contacts;
  bots: BotOperations;
  rotateKey: Bots['rotateKey'];
  erase: (userId: string) => Promise<Erasure>;
  verify: () => Promise<Rows>;
  copyData: () => Promise<void>;
  audit: Audit;
  startedAt: number | null;
}) {
  const { db, clock, countClock, contacts, bots, rotateKey, erase, verify, copyData, audit, startedAt } = options;

  return async (asked: Command): Promise<Rows> => {
    audit.note('operator-command', { about: asked.command, userId: 'user' in asked ? asked.user : undefined });
    switch (asked.command) {
      case 'contacts':
        return listed(await contacts.list('contact'));
      case 'deletions':
        return listed(await contacts.list('deletion'));
      case 'users':
        return findUsers(db);
      case 'metrics': {
        const now = clock();
        const server =
          startedAt === null
            ? { memory_mb: null, uptime_s: null }
            : { memory_mb: Math.round(process.memoryUsage.rss() / 2 ** 20), uptime_s: Math.round((now - startedAt) / 1000) };
        return [
          { ...(await count(db, new Date(now - (now % DAY)))), ...server, ...(await reportGuesses(db, countClock)), audit: audit.counts() },
        ];
      }
      case 'bots':
        return bots.list();
      case 'rotate-key': {
        const rotation = await rotateKey();
        audit.note('key-rotation', { about: `${rotation.resealed} re-encrypted under ${rotation.key}` });
        return [{ ...rotation, next: OLD_KEY_UNUSED }];
      }
      case 'forget-secret':
        return [{ forgotten: asked.name, had_fingerprint: await forgetSecret(db, asked.name), next: SECRET_FORGOTTEN }];
      case 'erase':
        return [{ ...(await erase(asked.user.toLowerCase())) }];
      case 'verify':
        return verify();
      case COPY_DATA:
        await copyData();
        return [];
      case 'halt':
        if (asked.user === undefined) return [{ halted: 'all', running: await bots.haltAll() }];
        return [{ halted: asked.user, stopping: await bots.haltUser(asked.user) }];
      case 'resume':
        return [{ resumed: asked.user ?? 'all', was_halted: await bots.resume(asked.user) }];
      case 'reply':
        await contacts.reply(asked.id, asked.text);
        return [{ id: asked.id, replied: true }];
      case 'file': {
        const { name, type, bytes } = await contacts.file(asked.id, asked.place);
        return [{ id: asked.id, place: asked.place, name, type, base64: bytes.toString('base64') }];
      }
    }
  };
}

const listed = (messages: Awaited<ReturnType<Contacts['list']>>): Rows =>
  messages.map(({ userId, createdAt, repliedAt, acknowledgeAt: _, key: __, ...message }) => ({
    ...message,
    user_id: userId,
    created_at: createdAt,
    replied_at: repliedAt,
  }));
