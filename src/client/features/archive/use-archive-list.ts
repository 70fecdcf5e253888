import type { Archive } from '../../../contract/archive';
import { useLive } from '../../platform/cache/use-live';
import { type ResourceState, useResource } from '../../platform/cache/use-resource';
import { userDb } from '../../platform/db/user-db';
import { useClaims } from '../../platform/session/use-session';
import { archives, unsentArchiveIds } from './archives';

export interface ArchiveList extends ResourceState<Archive[]> {
  /** Conversations with a question that has not reached the server. */
  unsent: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();

/** The newest conversations: one page. */
export function useArchiveList(): ArchiveList {
  const userId = useClaims().sub;
  const db = userDb(userId);
  const list = useResource(archives, { userId });
  const unsent = useLive(`${db.name}/unsent`, () => unsentArchiveIds(db)) ?? NONE;
  return { ...list, unsent };
}
