import { useSyncExternalStore } from 'react';
import type { AccessClaims } from '#contract/account/tokens.ts';
import { onSessionChange, type SessionState, sessionState } from './session.ts';

export const useSession = (): SessionState => useSyncExternalStore(onSessionChange, sessionState);

/** Returns the signed-in user's claims. Throws outside of pages behind the user guard. */
export function useClaims(): AccessClaims {
  const session = useSession();
  if (session.status !== 'signed-in') throw new Error('useClaims needs a signed-in user');
  return session.claims;
}
