import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { createAfterResponse } from '../after-response.ts';
import { createAudit } from '../audit.ts';
import { createUserBlobs } from '../blobs/user-blobs.ts';
import { createBotOperations } from '../bots/api/operator.ts';
import { readConfig } from '../config.ts';
import { openDb } from '../db/open.ts';
import type { CountClock } from '../db/windows.ts';
import { explainFullDisk } from '../files/full-disk.ts';
import { createSessions } from '../modules/accounts/sessions/sessions.ts';
import { createContacts } from '../modules/contacts/service.ts';
import { createNotifications } from '../modules/notifications/service.ts';
import { openBlobs } from '../ports/blobs/open-blobs.ts';
import { deleteMailTo } from '../ports/mail/delete-mail.ts';
import { openMail } from '../ports/mail/open-mail.ts';
import { copyForBackup } from './backup/copy-for-backup.ts';
import { createCommands, type Rows } from './commands.ts';
import { demandDatabase } from './demand-database.ts';
import { erase } from './erasure/erase.ts';
import type { Command } from './protocol.ts';
import { verify } from './verify/verify.ts';
import { withBots } from './with-bots.ts';

/** Time limit of a statement of `verify`, which reads whole tables, s. */
const LONG_TIMEOUT = 3600;

/** Runs a command in this process, on the database that no server has open. */
export async function runWithoutServer(asked: Command, dataDir: string): Promise<Rows> {
  const config = readConfig(process.env);
  if (!config.databaseUrl) demandDatabase(dataDir);
  const opened = openDb(asked.command === 'verify' ? { ...config, databaseTimeout: LONG_TIMEOUT } : config);
  const { db, queue, close } = await opened.catch((error: unknown) => {
    throw explainFullDisk(error, dataDir);
  });
  const clock = Date.now;
  const mail = openMail(config, clock);
  const afterResponse = createAfterResponse((error) => console.error(error));
  try {
    const { notify, notifyAll } = createNotifications({ db, clock });
    const blobs = createUserBlobs({ db, store: openBlobs(config), quota: config.userQuota });
    const contacts = createContacts({ db, clock, mail, afterResponse, notify, blobs });
    const audit = createAudit({ info: (line: unknown) => writeAuditLine(dataDir, line) });
    const use = withBots({ config, db, queue, clock, notify, notifyAll });
    const bots = createBotOperations({ db, clock, notify, notifyAll });
    const rotateKey = () => use((own) => own.rotateKey());
    const sessions = createSessions({ db, clock, jwtSecret: config.jwtSecret, alone: false });
    const deleteMail = (email: string) => deleteMailTo(dataDir, email);
    const eraseOne = (userId: string) =>
      use(({ closeAllBots }) => erase({ db, clock, audit, sessions, closeAllBots, blobs, mail, deleteMail }, userId));
    const countClock: CountClock = config.databaseUrl ? 'database' : clock;
    const commands = { db, clock, countClock, contacts, bots, rotateKey, erase: eraseOne, verify: () => verify(db, blobs.store), audit };
    return await createCommands({ ...commands, copyData: () => copyForBackup(config, db), startedAt: null })(asked);
  } finally {
    mail.close();
    await close();
  }
}

/** Writes an audit line to a file that only its owner can read, because without a server there is no log. */
function writeAuditLine(dataDir: string, line: unknown): void {
  const entry = { time: new Date().toISOString(), ...(line as object) };
  appendFileSync(path.join(dataDir, 'audit.log'), `${JSON.stringify(entry)}\n`, { mode: 0o600 });
}
