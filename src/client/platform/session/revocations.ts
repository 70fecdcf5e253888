import type { EndSessionBody } from '#contract/account/sessions.ts';
import type { Tokens } from '#contract/account/tokens.ts';
import { ApiError } from '../api/errors.ts';
import { send } from '../api/send.ts';
import { type DeviceTables, deviceDb, type RevocationRow } from '../db/device-db.ts';
import { withLock } from '../tabs/with-lock.ts';

const answer = () => import('#contract/envelope.ts').then(({ messageAnswer }) => messageAnswer);

const LOCK = 'tidemark/revocations';
/** Sign-outs that wait for the server; the oldest gives way. */
const MAX_REVOCATIONS = 20;

/** What ends a session of this device on the server, and can do nothing else (contract/account/sessions). */
export async function revocationOf({ refreshToken }: Tokens, now = Date.now()): Promise<RevocationRow> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(refreshToken)));
  const tokenHash = btoa(String.fromCharCode(...digest))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
  return { sessionId: refreshToken.split('.')[0] ?? '', tokenHash, signedOutAt: now, tried: false };
}

/** Writes a revocation down, in the transaction that removes the session from the device. */
export async function keepRevocation({ revocations }: DeviceTables, revocation: RevocationRow): Promise<void> {
  await revocations.put(revocation);
  const rows = await revocations.toArray();
  rows.sort((one, other) => other.signedOutAt - one.signedOutAt);
  await revocations.bulkDelete(rows.slice(MAX_REVOCATIONS).map(({ sessionId }) => sessionId));
}

/** Logs a session out with its own tokens; what the server does not confirm stays a revocation. Never throws. */
export async function logOutOnServer({ accessToken, refreshToken }: Tokens, { sessionId }: RevocationRow): Promise<void> {
  await withLock(LOCK, async () => {
    try {
      await send('/auth/logout/', { method: 'POST', body: { refreshToken }, answer }, accessToken);
      await deviceDb.revocations.delete(sessionId);
    } catch (error) {
      if (error instanceof ApiError && error.status === 403) await deviceDb.revocations.delete(sessionId);
      // A 401 may only mean that the access token is too old.
      else if (error instanceof ApiError && error.status === 401) await sendAll();
    }
  });
}

/** Sends what waits, one sender at a time over all tabs. `stopped`: some of it still waits. */
export const sendRevocations = (): Promise<'empty' | 'stopped'> => withLock(LOCK, sendAll);

async function sendAll(): Promise<'empty' | 'stopped'> {
  for (const { sessionId, tokenHash } of await deviceDb.revocations.toArray()) {
    const body: EndSessionBody = { session_id: sessionId, token_hash: tokenHash };
    try {
      await send('/auth/end-session/', { method: 'POST', body, answer });
    } catch (error) {
      if (!isOver(error)) {
        await deviceDb.revocations.update(sessionId, { tried: true });
        return 'stopped';
      }
    }
    await deviceDb.revocations.delete(sessionId);
  }
  return 'empty';
}

/** The server says that there is no such session any more, or will never take this revocation. */
const isOver = (error: unknown) => error instanceof ApiError && [400, 401, 403].includes(error.status);
