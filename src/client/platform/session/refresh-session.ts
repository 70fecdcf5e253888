import { type Tokens, tokensAnswer } from '#contract/account/tokens.ts';
import { ApiError } from '../api/errors.ts';
import { send } from '../api/send.ts';
import { withLock } from '../tabs/with-lock.ts';
import { claimsOf } from './access-token.ts';
import { readSession, type StoredSession } from './session-row.ts';
import { replaceSession } from './write-session.ts';

/** How a refresh changes the session in memory, in this tab and in others. */
interface SessionInMemory {
  adopt(stored: StoredSession): void;
  adoptRenewed(next: Tokens): void;
  sessionIdOf(tokens: Tokens): string;
  endSession(): Promise<void>;
  tellTabs(): void;
}

/** Replaces a rejected access token as `refresh` of session.ts says, one tab after the other. Never returns another user's token. */
export const refreshInTurn = (stale: string, memory: SessionInMemory): Promise<string | undefined> =>
  withLock('tidemark/refresh', () => refreshOnce(stale, memory));

async function refreshOnce(stale: string, memory: SessionInMemory): Promise<string | undefined> {
  const stored = await readSession();
  if (typeof stored === 'string') {
    memory.adopt(stored); // the session has ended
    return undefined;
  }
  if (stored.accessToken !== stale) {
    memory.adoptRenewed(stored); // another tab has refreshed, or signed another user in
    return claimsOf(stored.accessToken).sub === claimsOf(stale).sub ? stored.accessToken : undefined;
  }
  try {
    const { data } = await send('/auth/refresh-token/', {
      method: 'POST',
      body: { refreshToken: stored.refreshToken },
      answer: tokensAnswer,
    });
    if (!(await replaceSession(data, stored, memory.sessionIdOf(data)))) {
      memory.adopt(await readSession()); // the user signed out, here or in another tab
      return undefined;
    }
    memory.adoptRenewed(data);
    memory.tellTabs();
    return data.accessToken;
  } catch (error) {
    if (!(error instanceof ApiError) || (error.status !== 401 && error.status !== 403)) throw error;
    await memory.endSession();
    return undefined;
  }
}
