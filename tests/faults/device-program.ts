import { vi } from 'vitest';
import type { Tokens } from '#contract/account/tokens.ts';
import type { User } from '#contract/account/user.ts';
import { contactAnswer } from '#contract/contact.ts';
import { FakeLocks } from '../support/client/web-locks.ts';

/** A tab or the worker of a device, with its own modules, connections and channels. It can be killed at any moment. */
export interface Program {
  kind: 'tab' | 'other tab' | 'worker';
  /** Kills the program as the system does: requests get no answer, locks are released, and it writes nothing more. */
  kill(): void;
  signIn(tokens: Tokens): Promise<void>;
  readSession(): Promise<void>;
  tokens(): Tokens | undefined;
  /** Sends queued messages as far as possible; never rejects. */
  send(): Promise<void>;
  /** Queues a message; undefined while signed out. */
  write(user: User, text: string, files: readonly Buffer[]): Promise<string | undefined>;
  /** Retries all refused messages. */
  retryAll(): Promise<void>;
  /** Signs out and returns the messages that the user was warned about losing; undefined if it failed. */
  signOut(): Promise<string[] | undefined>;
  /** Counts queued messages. */
  waiting(): Promise<number>;
  stateOf(id: string): Promise<'sent' | 'failed' | 'waiting' | 'gone'>;
}

/** The device's locks. A kill releases the program's locks and requests. */
const locks = new FakeLocks();

/** Creates the locks of one program, whose work fails when the program dies. */
const createLocks = (isAlive: () => boolean, death: Promise<never>) => ({
  request: (name: string, ...rest: [LockOptions, () => Promise<unknown>] | [() => Promise<unknown>]) => {
    const work = rest.length === 2 ? rest[1] : rest[0];
    const options = rest.length === 2 ? rest[0] : {};
    return locks.request(name, options, () => (isAlive() ? Promise.race([work(), death]) : Promise.reject(new Error('killed'))));
  },
  query: () => locks.query(),
});

/** Tags a program's synchronous calls to the device with the program. */
const asProgram = <T>(ownLocks: ReturnType<typeof createLocks>, ask: () => T): T => {
  vi.stubGlobal('navigator', { onLine: true, locks: ownLocks });
  try {
    return ask();
  } finally {
    vi.stubGlobal('navigator', { onLine: true, locks });
  }
};

/** Loads a program's own copy of the client's modules. */
async function loadModules() {
  const channels: BroadcastChannel[] = [];
  const RealChannel = globalThis.BroadcastChannel;
  vi.stubGlobal(
    'BroadcastChannel',
    class extends RealChannel {
      constructor(name: string) {
        super(name);
        channels.push(this);
      }
    },
  );
  vi.stubGlobal('navigator', { onLine: true, locks });
  // For `pagehide` and `pageshow`, which a killed program never gets. Node has no such function.
  vi.stubGlobal('addEventListener', () => undefined);
  vi.resetModules();
  const session = await import('#client/platform/session/session.ts');
  const { signedIn } = await import('#client/platform/session/signed-in.ts');
  const { signOut } = await import('#client/platform/session/sign-out.ts');
  const { onUserGone } = await import('#client/platform/session/sign-out-in-other-tabs.ts');
  const { closeUserDb, openDbs } = await import('#client/platform/db/open-dbs.ts');
  const contacts = await import('#client/platform/outbox/contacts.ts');
  const { drainLane } = await import('#client/platform/outbox/http-lanes.ts');
  const { sendForm } = await import('#client/platform/api/send-form.ts');
  vi.stubGlobal('BroadcastChannel', RealChannel);
  return { channels, session, signedIn, signOut, onUserGone, closeUserDb, openDbs, contacts, drainLane, sendForm };
}

/** Returns a message to support with its pictures. */
const contactOf = ({ id, first_name, email }: User, text: string, files: readonly Buffer[]) => ({
  kind: 'contact' as const,
  user_id: id,
  name: first_name,
  email,
  message: text,
  files: files.map((bytes, index) => ({ name: `${index}.png`, type: 'image/png', bytes: new Uint8Array(bytes).buffer })),
});

export async function openProgram(kind: Program['kind']): Promise<Program> {
  let alive = true;
  let die = () => {};
  const death = new Promise<never>((_, reject) => {
    die = () => reject(new Error(`the ${kind} was killed`));
  });
  death.catch(() => undefined);

  const ownLocks = createLocks(() => alive, death);
  const { channels, session, signedIn, signOut, onUserGone, closeUserDb, openDbs, contacts, drainLane, sendForm } = await loadModules();
  const lane = contacts.contactsLane((path, { form, key }) => sendForm(path, { form, key, answer: contactAnswer }));
  await session.startSession();

  onUserGone(closeUserDb); // as boot.tsx does, so that no program blocks the deletion of the database

  const drainNow = async (): Promise<unknown> => {
    if (kind === 'worker') await session.startSession(); // each time, as contacts-worker does
    const current = signedIn();
    return current && asProgram(ownLocks, () => drainLane(current.db, lane));
  };

  return {
    kind,
    kill() {
      alive = false;
      die();
      for (const db of openDbs.values()) db.close(); // the device's database too
      for (const channel of channels) channel.close();
    },
    signIn: (tokens) => session.signIn(tokens, true),
    readSession: () => session.startSession(),
    tokens: () => session.currentTokens(),
    send: () =>
      Promise.race([drainNow(), death]).then(
        () => undefined,
        () => undefined,
      ),
    async write(author, text, files) {
      const current = signedIn();
      if (!current) return undefined;
      return contacts.writeContact(current.db, contactOf(author, text, files));
    },
    async retryAll() {
      const current = signedIn();
      if (!current) return;
      for (const { id, sentAt, refused } of await current.db.contacts.toArray()) {
        if (sentAt === null && refused !== undefined) await contacts.retryContact(current.db, id);
      }
    },
    async signOut() {
      const current = signedIn();
      if (!current) return undefined;
      const unsent = (await current.db.contacts.toArray()).flatMap(({ id, sentAt }) => (sentAt === null ? id : []));
      const ended = await signOut().then(
        () => true,
        () => false,
      );
      return ended ? unsent : undefined;
    },
    async waiting() {
      const current = signedIn();
      return current ? current.db.outbox.filter(({ state }) => state === 'waiting').count() : 0;
    },
    async stateOf(id) {
      const row = await signedIn()?.db.contacts.get(id);
      if (!row) return 'gone';
      if (row.sentAt !== null) return 'sent';
      return row.refused !== undefined ? 'failed' : 'waiting';
    },
  };
}
