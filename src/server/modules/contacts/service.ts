import type { ContactMessageBody, SentContact } from '#contract/contact.ts';
import { type Clock, MINUTE } from '#domain/clock.ts';
import type { AfterResponse } from '#server/after-response.ts';
import { readContent } from '#server/blobs/read-blob.ts';
import type { UserBlobs } from '#server/blobs/user-blobs.ts';
import { lockUser } from '#server/db/lock-user.ts';
import type { Db, Tx } from '#server/db/open.ts';
import { notFound, Problem } from '#server/http/errors.ts';
import type { MailPort } from '#server/ports/mail/mail.ts';
import type { Notify } from '../notifications/service.ts';
import { createAcknowledgements, nextAcknowledgement } from './acknowledgements.ts';
import { replyMail } from './mails.ts';
import { type ListedMessage, readMessages, readMessagesOf } from './read-messages.ts';
import {
  claimReply,
  dropReplyClaim,
  findEmail,
  findFile,
  findMessage,
  findMessageByKey,
  insertMessage,
  insertReply,
  type MessageRow,
  type NewFileRow,
} from './store.ts';

/** How long no other reply to a message is mailed, ms: longer than a mail takes. */
const CLAIMED = 5 * MINUTE;

export interface Contacts {
  /** Stores a message to support, once per key. Throws 409 beyond the quota. Call `acknowledge` after the commit: it mails the sender. */
  take(
    tx: Tx,
    userId: string,
    message: Pick<ContactMessageBody, 'kind' | 'name' | 'message'> & { key?: string | undefined },
    files?: readonly NewFileRow[],
  ): Promise<{ id: string; acknowledge: () => void }>;
  /** Mails overdue acknowledgements. After a crash, one may be mailed twice, but none is lost. */
  acknowledgeLate(): Promise<void>;
  /** Returns a user's messages to support, oldest first. */
  of(userId: string): Promise<SentContact[]>;
  /** Returns messages of a kind with their files, oldest first. */
  list(kind: MessageRow['kind']): Promise<ListedMessage[]>;
  /** Returns a file of a message, counted from 1. Throws 404 when there is none. */
  file(messageId: string, place: number): Promise<{ name: string; type: string; bytes: Buffer }>;
  /** Replies by mail and in the app, and stores the reply. Throws 404 for an unknown message, 409 when it has a reply or is getting one. */
  reply(messageId: string, text: string): Promise<void>;
}

/** Manages messages to support. A request to delete an account is such a message. */
export function createContacts(options: {
  db: Db;
  clock: Clock;
  mail: MailPort;
  afterResponse: AfterResponse;
  notify: Notify;
  blobs: UserBlobs;
}): Contacts {
  const { db, clock, mail, notify, blobs } = options;
  const acknowledgements = createAcknowledgements(options);

  return {
    async take(tx, userId, { kind, name, message, key }, files = []) {
      const email = await findEmail(tx, userId);
      if (email === undefined) throw notFound();
      await lockUser(tx, userId);
      const known = key === undefined ? undefined : await findMessageByKey(tx, userId, key);
      if (known) return { id: known, acknowledge: () => undefined };
      await blobs.claim(tx, userId, files);
      const row = { userId, kind, name, email, message };
      const now = clock();
      const id = await insertMessage(tx, { ...row, key, createdAt: new Date(now), acknowledgeAt: nextAcknowledgement(now) }, files);
      return { id, acknowledge: () => acknowledgements.send({ ...row, id }) };
    },

    acknowledgeLate: acknowledgements.sendLate,
    of: (userId) => readMessagesOf(db, userId),
    list: (kind) => readMessages(db, kind),

    async file(messageId, place) {
      const file = await findFile(db, messageId, place);
      if (!file) throw notFound('There is no such file.');
      const bytes = await readContent(blobs.store, file);
      if (!bytes) throw notFound('The file is missing in the blob store.');
      return { name: file.name, type: file.type, bytes };
    },

    async reply(messageId, text) {
      const message = await findMessage(db, messageId);
      if (!message) throw notFound('There is no such message.');
      if (message.reply !== null) throw answered();
      const began = new Date(clock());
      if (!(await claimReply(db, messageId, began, new Date(began.getTime() - CLAIMED)))) throw beingAnswered();
      try {
        // Mail first: a reply that could not be mailed is not stored and can be sent again.
        await mail.send(replyMail(message, text));
      } catch (error) {
        await dropReplyClaim(db, messageId, began).catch(() => undefined); // it also ends by itself
        throw error;
      }
      const show = await db.transaction(async (tx) => {
        if (!(await insertReply(tx, messageId, text, new Date(clock())))) throw answered();
        return notify(tx, message.userId, { kind: 'support', text: `Support replied: ${text}`, link: '/settings/help-center' });
      });
      show();
    },
  };
}

const beingAnswered = () => new Problem(409, 'answered', 'This message is being answered. Look at it again in a few minutes.');
const answered = () => new Problem(409, 'answered', 'This message was answered already.');
