import { type UserDb, userDb } from '../db/user-db.ts';
import { sessionState } from './session.ts';

/** Returns the signed-in user and their database; undefined when signed out. For code outside of components. */
export function signedIn(): { userId: string; db: UserDb } | undefined {
  const session = sessionState();
  return session.status === 'signed-in' ? { userId: session.claims.sub, db: userDb(session.claims.sub) } : undefined;
}
