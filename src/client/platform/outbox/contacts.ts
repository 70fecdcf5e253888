import type { ContactMessageBody } from '#contract/contact.ts';
import type { Clock } from '#domain/clock.ts';
import { transact } from '../db/transact.ts';
import type { UserDb, UserTables } from '../db/user-db.ts';
import { signedIn } from '../session/signed-in.ts';
import { CONTACTS } from './contact-triggers.ts';
import { type HttpLane, refusedFor } from './http-lanes.ts';
import { enqueue, Refused, retry } from './outbox.ts';
import { tellSending } from './send-progress.ts';

export interface ContactFile {
  name: string;
  type: string;
  bytes: ArrayBuffer;
}

/** The body of the lane's commands. */
export interface ContactMessage extends ContactMessageBody {
  files: ContactFile[];
}

interface Means {
  newId?: () => string;
  clock?: Clock;
}

/** Stores a message and the command that sends it, before anything is sent. Returns its id. */
export async function writeContact(
  db: UserTables,
  message: ContactMessage,
  { newId = () => crypto.randomUUID(), clock = Date.now }: Means = {},
): Promise<string> {
  const id = newId();
  const createdAt = clock();
  const row = { id, kind: message.kind, message: message.message, files: message.files.length, createdAt, sentAt: null };
  await transact(db, [db.contacts, db.outbox], async (db) => {
    await db.contacts.add(row);
    await enqueue<ContactMessage>(db, { id, lane: CONTACTS, body: message, createdAt });
  });
  return id;
}

/** Retries a message that the server refused. */
export async function retryContact(db: UserDb, id: string): Promise<void> {
  await transact(db, [db.contacts, db.outbox], async (db) => {
    await retry(db, id);
    await db.contacts.update(id, { refused: undefined, tried: undefined });
  });
}

/** Discards an unsent message. */
export async function discardContact(db: UserDb, id: string): Promise<void> {
  await transact(db, [db.contacts, db.outbox], async (db) => {
    await db.outbox.where('id').equals(id).delete();
    await db.contacts.delete(id);
  });
}

export interface ContactRequest {
  form: FormData;
  /** Travels as `Idempotency-Key`. */
  key: string;
  onProgress: (sent: number) => void;
}

/** Posts with the user's access token. Resolves once the answer is parsed; throws as `call`. */
export type PostContact = (path: string, request: ContactRequest) => Promise<unknown>;

/** Creates the lane, which sends messages by `post` (different in page and worker) and stores the outcome of each. */
export const contactsLane = (post: PostContact, clock: Clock = Date.now): HttpLane<ContactMessage> => ({
  name: CONTACTS,
  async send(db, { id, body }) {
    // If another user has signed in meanwhile, their token must not send this message.
    if (signedIn()?.userId !== body.user_id) throw new Error('the sender of a message is not signed in');
    const tell = (share: number | null | undefined) => tellSending(db, CONTACTS, id, share);
    tell(null);
    try {
      await post('/contact-us/send-message', { form: formOf(body), key: id, onProgress: tell });
      await db.contacts.update(id, { sentAt: clock() });
    } catch (error) {
      const reason = refusedFor(error);
      await db.contacts.update(id, reason instanceof Refused ? { refused: reason.message } : { tried: true });
      throw error;
    } finally {
      tell(undefined);
    }
  },
});

/** Builds the same form for each attempt: the server compares it by the idempotency key. */
function formOf({ files, ...fields }: ContactMessage): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  for (const { name, type, bytes } of files) form.append('files', new File([bytes], name, { type }));
  return form;
}
