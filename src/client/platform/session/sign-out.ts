import { deviceDb } from '../db/device-db.ts';
import { transact } from '../db/transact.ts';
import { forgetInsightPage } from '../device-choices/insight-page.ts';
import { endPush } from '../notifications/push-browser.ts';
import { deleteShare } from '../shared/inbox.ts';
import { within } from '../within.ts';
import { attempt, clearSession } from './clear-session.ts';
import { keepRevocation, logOutOnServer, revocationOf } from './revocations.ts';
import { currentTokens, endSession, sessionState } from './session.ts';
import { readSession } from './session-row.ts';
import { broadcastSignOut } from './sign-out-in-other-tabs.ts';
import { signedIn } from './signed-in.ts';
import { markEnded } from './web-storage.ts';
import { wipe } from './wipes.ts';

/** How long the server may take before the screen says that it has not answered, ms. */
const LOGOUT_TIMEOUT_MS = 5_000;
/** How long the browser may take to end what is not of the session before that ends all the same, ms. */
const BROWSER_TIMEOUT_MS = 1_000;

/** The lanes of commands that would be lost by signing out, one entry a command: the user is asked first. None if the storage fails. */
export async function unsentLanes(): Promise<string[]> {
  const user = signedIn();
  const lanes = user && (await attempt(user.db.outbox.orderBy('lane').keys()));
  return (lanes ?? []) as string[];
}

/**
 * Ends the session here, whatever the server says: the blob and everything of this user on the device. The server is
 * told at the same time; while it does not answer, a revocation waits and is sent again (`sendRevocations`).
 */
export function signOut(): Promise<void> {
  leaving ??= leave().finally(() => {
    leaving = undefined;
  });
  return leaving;
}

let leaving: Promise<void> | undefined;

async function leave(): Promise<void> {
  const user = signedIn();
  if (!user) return;
  const { userId } = user;
  // First, so that a browser killed here shows and gives nothing of this user to the next one.
  const ended = Promise.all([endPush(), deleteShare().catch((error) => console.error('deleting what was shared failed', error))]);
  await within(BROWSER_TIMEOUT_MS, ended);
  // Another tab may have refreshed what this one has in memory.
  const stored = (await attempt(readSession())) ?? currentTokens();
  const tokens = typeof stored === 'string' ? undefined : stored;
  const revocation = tokens && (await revocationOf(tokens));
  const session = sessionState();
  if (session.status === 'signed-in') markEnded(session.claims.sid);
  // All or nothing: a browser killed here is either signed in, or finishes the sign-out at its next start.
  const leaving = transact(deviceDb, deviceDb.tables, async (deviceDb) => {
    await deviceDb.wipes.put({ userId });
    await clearSession(deviceDb);
    if (revocation) await keepRevocation(deviceDb, revocation);
  });
  await attempt(leaving);
  if (tokens && revocation) {
    void logOutOnServer(tokens, revocation).finally(() => markTried(revocation.sessionId));
    setTimeout(() => void markTried(revocation.sessionId), LOGOUT_TIMEOUT_MS);
  }
  await endSession();
  forgetInsightPage();
  broadcastSignOut(userId);
  await attempt(wipe(userId));
}

/** Resolves when the first attempt has ended or takes long. Then the screen reports it. */
const markTried = (sessionId: string) => deviceDb.revocations.update(sessionId, { tried: true }).catch(() => 0);
