import { contactAnswer } from '#contract/contact.ts';
import { sendForm } from '../api/send-form.ts';
import { closeUserDb } from '../db/open-dbs.ts';
import { deleteUserDb } from '../db/user-db.ts';
import { startSession } from '../session/session.ts';
import { onSignOut } from '../session/sign-out-in-other-tabs.ts';
import { signedIn } from '../session/signed-in.ts';
import { contactsLane } from './contacts.ts';
import { drainLane } from './http-lanes.ts';
import type { DrainResult } from './outbox.ts';

const lane = contactsLane((path, { form, key }) => sendForm(path, { form, key, answer: contactAnswer }));

/** The user whose database is open in this worker. */
let user: string | undefined;

/**
 * Sends the signed-in user's queued messages, in the worker. Reads the session each time: it may have ended, or the last
 * window of a session that is not remembered may have closed.
 */
export async function drainContacts(): Promise<DrainResult> {
  await startSession();
  const current = signedIn();
  if (user && user !== current?.userId) closeUserDb(user);
  user = current?.userId;
  if (!current) return 'empty';
  left.delete(current.userId);
  try {
    return await drainLane(current.db, lane);
  } finally {
    if (left.has(current.userId)) await wipeAgain(current.userId);
  }
}

/** Users who signed out since their messages were last drained. */
const left = new Set<string>();
onSignOut((userId) => left.add(userId));

/** Deletes the database again: one that is opened during its deletion is recreated, empty. */
async function wipeAgain(userId: string): Promise<void> {
  await startSession();
  if (signedIn()?.userId !== userId) await deleteUserDb(userId);
}
