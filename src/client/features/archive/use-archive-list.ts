import type { Ahead } from '#client/platform/cache/read-ahead.ts';
import { useUserLive } from '#client/platform/cache/use-live.ts';
import { type ResourceState, resourceAhead, useResource } from '#client/platform/cache/use-resource.ts';
import { useClaims } from '#client/platform/session/use-session.ts';
import type { Archive } from '#contract/chat/archive.ts';
import { archives, unsentArchiveIds } from './archives.ts';

export interface ArchiveList extends ResourceState<Archive[]> {
  /** Ids of conversations with an unsent question. */
  unsent: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();

const UNSENT = 'unsent';

/** Returns the queries of `useArchiveList`, for the first render of a page. */
export const archiveListAhead = (userId: string): Ahead[] => [
  resourceAhead(archives, { userId }),
  { key: UNSENT, query: unsentArchiveIds },
];

/** Returns the first page of the newest conversations. */
export function useArchiveList(): ArchiveList {
  const list = useResource(archives, { userId: useClaims().sub });
  const unsent = useUserLive(UNSENT, unsentArchiveIds) ?? NONE;
  return { ...list, unsent };
}
