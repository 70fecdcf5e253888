import { useSyncExternalStore } from 'react';
import type { AccessClaims } from '#contract/account/tokens.ts';
import { onSessionChange, type SessionState, sessionState } from './session.ts';

export const useSession = (): SessionState => useSyncExternalStore(onSessionChange, sessionState);

/** The signed-in user's claims. Only for pages behind the guard; elsewhere it throws. */
export function useClaims(): AccessClaims {
  const session = useSession();
  if (session.status !== 'signed-in') throw new Error('useClaims needs a signed-in user');
  return session.claims;
}
