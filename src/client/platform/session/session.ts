import { jwtDecode } from 'jwt-decode';
import { type AccessClaims, accessClaims, type Tokens, tokensAnswer } from '#contract/account/tokens.ts';
import { ApiError } from '../api/errors.ts';
import { send } from '../api/send.ts';
import { createValue } from '../create-value.ts';
import { clearSession, readSession, replaceSession, type StoredSession, writeSession } from './session-row.ts';

/**
 * Who is signed in on this device, for page and worker alike. `ended`: a session was here and is over, because
 * the user signed out, the server refused to renew it, or its blob could not be read.
 */
export type SessionState =
  | { status: 'starting' }
  | { status: 'signed-in'; claims: AccessClaims }
  | { status: 'signed-out'; ended: boolean };

const state = createValue<SessionState>({ status: 'starting' });
let tokens: Tokens | undefined;
const tabs = new BroadcastChannel('tidemark/session');

export const sessionState = state.get;
/** Calls `listener` after each change of the session; returns a function that stops it. */
export const onSessionChange = state.subscribe;

function decode(accessToken: string): AccessClaims | undefined {
  try {
    return accessClaims.parse(jwtDecode(accessToken));
  } catch {
    return undefined;
  }
}

function adopt(stored: StoredSession) {
  tokens = typeof stored === 'string' ? undefined : stored;
  const claims = tokens && decode(tokens.accessToken);
  const ended = stored !== 'none' || sessionState().status === 'signed-in';
  state.set(claims ? { status: 'signed-in', claims } : { status: 'signed-out', ended });
}

/** Reads the stored session. Rejects only when the device's storage cannot be used at all. */
export async function startSession(): Promise<void> {
  tabs.onmessage = () => void readSession().then(adopt);
  adopt(await readSession());
}

/** Stores a fresh login; `remember` false keeps it only as long as this window. */
export async function signIn(next: Tokens, remember: boolean): Promise<void> {
  await writeSession(next, remember);
  adopt(next);
  tabs.postMessage('changed');
}

/** Forgets the session here and in every tab. The user's cached data is the caller's affair. */
export async function endSession(): Promise<void> {
  await clearSession();
  adopt('none');
  tabs.postMessage('changed');
}

export const currentTokens = (): Tokens | undefined => tokens;

/** Seconds before its end in which an access token is refreshed rather than used. */
const MARGIN = 30;

/** How far the device's clock is ahead of the server's, ms: measured on what was just renewed, 0 until then. */
let clockAhead = 0;

function adoptRenewed(next: Tokens) {
  adopt(next);
  const session = sessionState();
  if (session.status === 'signed-in') clockAhead = Date.now() - session.claims.iat * 1_000;
}

/** A token good for a request now, refreshed if need be; undefined when signed out. Throws NetworkError. */
export async function accessToken(now = Date.now()): Promise<string | undefined> {
  const session = sessionState();
  if (session.status !== 'signed-in' || !tokens) return undefined;
  if (session.claims.exp - MARGIN > (now - clockAhead) / 1_000) return tokens.accessToken;
  return refresh(tokens.accessToken);
}

let inFlight: Promise<string | undefined> | undefined;

/**
 * Replaces an access token the server no longer takes. However many requests, tabs and workers ask, one
 * refresh is sent. Resolves with the new token, or undefined when the server refused and the session ended.
 * Throws NetworkError when there was no answer: a lost connection is never a refusal.
 */
export function refresh(stale: string): Promise<string | undefined> {
  inFlight ??= navigator.locks
    .request('tidemark/refresh', () => refreshOnce(stale))
    .finally(() => {
      inFlight = undefined;
    });
  return inFlight;
}

async function refreshOnce(stale: string): Promise<string | undefined> {
  const stored = await readSession();
  if (typeof stored === 'string') {
    adopt(stored); // ended meanwhile
    return undefined;
  }
  if (stored.accessToken !== stale) {
    adoptRenewed(stored); // another tab was faster
    return stored.accessToken;
  }
  try {
    const { data } = await send('/auth/refresh-token/', {
      method: 'POST',
      body: { refreshToken: stored.refreshToken },
      answer: tokensAnswer,
    });
    if (!(await replaceSession(data, stored))) {
      adopt(await readSession()); // signed out meanwhile, here or in another tab
      return undefined;
    }
    adoptRenewed(data);
    tabs.postMessage('changed');
    return data.accessToken;
  } catch (error) {
    if (!(error instanceof ApiError) || (error.status !== 401 && error.status !== 403)) throw error;
    await endSession();
    return undefined;
  }
}
