import { type UserDb, userDb } from '../db/user-db.ts';
import { sessionState } from './session.ts';

/** The signed-in user and what is stored for them; undefined while nobody is. For work outside of components. */
export function signedIn(): { userId: string; db: UserDb } | undefined {
  const session = sessionState();
  return session.status === 'signed-in' ? { userId: session.claims.sub, db: userDb(session.claims.sub) } : undefined;
}
