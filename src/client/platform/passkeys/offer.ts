import { createValue } from '../create-value.ts';

/** localStorage: beginnings of the ids of users who were offered a passkey on this device. */
const OFFERED = 'passkey-offered';
const MAX_USERS = 50;
const markOf = (userId: string): string => userId.slice(0, 8);

/** Whether a user signed in by password since this page opened. */
export const signedInByPassword = createValue(false);

function readOffered(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(OFFERED) ?? '[]');
    return Array.isArray(stored) ? stored.filter((mark) => typeof mark === 'string').slice(-MAX_USERS) : [];
  } catch {
    return [];
  }
}

/** Returns whether the user has not yet answered the offer on this device. */
export const isOfferOpen = (userId: string): boolean => !readOffered().includes(markOf(userId));

/** Remembers that the user answered the offer on this device. */
export function closeOffer(userId: string): void {
  if (isOfferOpen(userId)) localStorage.setItem(OFFERED, JSON.stringify([...readOffered(), markOf(userId)].slice(-MAX_USERS)));
}
