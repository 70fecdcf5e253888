import type { AccessClaims, Tokens } from '#contract/account/tokens.ts';
import { NetworkError } from '../api/errors.ts';
import { createValue } from '../create-value.ts';
import { openChannel } from '../tabs/open-channel.ts';
import { claimsOf, isFresh } from './access-token.ts';
import { readSession, type StoredSession } from './session-row.ts';

/**
 * The session on this device, for page and worker. `ended`: there was a session, and the user signed out, the server
 * refused to renew it, or it could not be decrypted.
 */
export type SessionState =
  | { status: 'starting' }
  | { status: 'signed-in'; claims: AccessClaims }
  | { status: 'signed-out'; ended: boolean };

const state = createValue<SessionState>({ status: 'starting' });
let tokens: Tokens | undefined;
const TEXTS = ['sub', 'sid', 'email', 'first_name', 'last_name'] as const;
const TIMES = ['iat', 'exp'] as const;

export const sessionState = state.get;
export function currentUserId(): string | undefined {
  const session = state.get();
  return session.status === 'signed-in' ? session.claims.sub : undefined;
}
/** Calls `listener` after each change of the session; returns a function that stops it. */
export const onSessionChange = state.subscribe;

function decode(accessToken: string): AccessClaims | undefined {
  try {
    const claims = claimsOf(accessToken);
    return isComplete(claims) ? claims : undefined;
  } catch {
    return undefined;
  }
}

/** By hand, because zod would be a tenth of what a start loads. */
const isComplete = (claims: Partial<AccessClaims>): claims is AccessClaims =>
  TEXTS.every((name) => typeof claims[name] === 'string') && TIMES.every((name) => typeof claims[name] === 'number');

const sessionIdOf = (value: Tokens): string => decode(value.accessToken)?.sid ?? '';

function adopt(stored: StoredSession) {
  tokens = typeof stored === 'string' ? undefined : stored;
  const claims = tokens && decode(tokens.accessToken);
  const ended = stored !== 'none' || sessionState().status === 'signed-in';
  state.set(claims ? { status: 'signed-in', claims } : { status: 'signed-out', ended });
}

/** Reads the stored session, at start and when the page was cached. Rejects only if the device's storage does not work. */
export async function startSession(): Promise<void> {
  isStarted = true;
  adopt(await readSession());
}

let isStarted = false;
const post = openChannel('tidemark/session', () => {
  if (isStarted) adoptChanged().catch((error: unknown) => console.error('the session could not be read again', error));
});

/** Reads the session that another tab has signed in, renewed or ended just now. */
async function adoptChanged(): Promise<void> {
  const stored = await readSession();
  if (typeof stored === 'string') adopt(stored);
  else adoptRenewed(stored);
}

/** Stores a new session. Unless `remember`, it ends with this window. */
export async function signIn(next: Tokens, remember: boolean): Promise<void> {
  const { writeSession } = await import('./write-session.ts');
  await writeSession(next, remember, sessionIdOf(next));
  adopt(next);
  post('changed');
}

/** Ends the session in every tab, also if the device cannot delete it. The caller deletes the user's cached data. */
export async function endSession(): Promise<void> {
  const { attempt, clearSession } = await import('./clear-session.ts');
  await attempt(clearSession());
  adopt('none');
  post('changed');
}

export const currentTokens = (): Tokens | undefined => tokens;

/** How far the device's clock is ahead of the server's, ms. Measured on each renewed token; 0 before. */
let clockAhead = 0;

function adoptRenewed(next: Tokens) {
  adopt(next);
  const session = sessionState();
  if (session.status === 'signed-in') clockAhead = Date.now() - session.claims.iat * 1_000;
}

/** Returns a valid access token, refreshed if necessary; undefined when signed out. Throws NetworkError. */
export async function accessToken(now = Date.now()): Promise<string | undefined> {
  const session = sessionState();
  if (session.status !== 'signed-in' || !tokens) return undefined;
  if (isFresh(session.claims.exp, now - clockAhead)) return tokens.accessToken;
  return refresh(tokens.accessToken);
}

let inFlight: Promise<string | undefined> | undefined;

/**
 * Replaces a rejected access token. Sends one refresh for all requests, tabs and workers. Returns the new token, or
 * undefined if the server refuses and the session ends. Throws NetworkError if there is no answer, which ends nothing.
 */
export function refresh(stale: string): Promise<string | undefined> {
  inFlight ??= refreshInTurn(stale).finally(() => {
    inFlight = undefined;
  });
  return inFlight;
}

async function refreshInTurn(stale: string): Promise<string | undefined> {
  // Before the request: a new token that cannot be read or stored would end the session.
  const code = await import('./refresh-session.ts').catch(() => {
    throw new NetworkError('unreachable');
  });
  return code.refreshInTurn(stale, { adopt, adoptRenewed, sessionIdOf, endSession, tellTabs: () => post('changed') });
}
