import { useLive } from '#client/platform/cache/use-live.ts';
import { type ResourceState, useResource } from '#client/platform/cache/use-resource.ts';
import { userDb } from '#client/platform/db/user-db.ts';
import { useClaims } from '#client/platform/session/use-session.ts';
import type { Archive } from '#contract/chat/archive.ts';
import { archives, unsentArchiveIds } from './archives.ts';

export interface ArchiveList extends ResourceState<Archive[]> {
  /** Ids of conversations with an unsent question. */
  unsent: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();

/** Returns the first page of the newest conversations. */
export function useArchiveList(): ArchiveList {
  const userId = useClaims().sub;
  const db = userDb(userId);
  const list = useResource(archives, { userId });
  const unsent = useLive(`${db.name}/unsent`, () => unsentArchiveIds(db)) ?? NONE;
  return { ...list, unsent };
}
