import { useState } from 'react';
import type { Ahead } from '#client/platform/cache/read-ahead.ts';
import { useLast } from '#client/platform/cache/use-last.ts';
import { useUserLive } from '#client/platform/cache/use-live.ts';
import { userDb } from '#client/platform/db/user-db.ts';
import { useClaims } from '#client/platform/session/use-session.ts';
import type { Archive } from '#contract/chat/archive.ts';
import { ARCHIVES_PAGE } from '#contract/chat/archive-limits.ts';
import { type Edge, firstEdge, loadPage, newestArchives } from '../archives.ts';
import { pinnedArchives } from '../pins.ts';
import { type ArchiveList, archiveListAhead, useArchiveList } from '../use-archive-list.ts';
import type { More } from './more.ts';
import { useArchiveSearch } from './use-archive-search.ts';

export interface ArchivePages extends ArchiveList, More {
  /** Those that stand before `data`; none in a search. */
  pinned: Archive[];
  /** The server was unreachable, so only this device was searched. */
  onlyDevice: boolean;
}

const PINNED = 'archives/pinned';
const NONE: Archive[] = [];

const shownKey = (shown: number) => `archives/${shown}`;

/** Returns the queries of `useArchivePages`, for the first render of a page. */
export const archivePagesAhead = (userId: string): Ahead[] => [
  ...archiveListAhead(userId),
  { key: shownKey(ARCHIVES_PAGE), query: (db) => newestArchives(db, ARCHIVES_PAGE + 1) },
  { key: PINNED, query: pinnedArchives },
];

/** Returns the user's conversations page by page, or the results of `search`: the device's at once, then the server's. */
export function useArchivePages(search: string): ArchivePages {
  const text = search.trim();
  const list = useArchiveList();
  const pages = usePages(list);
  const found = useArchiveSearch(text);
  const pinned = useUserLive(PINNED, pinnedArchives) ?? NONE;
  if (text) return { ...list, ...found, pinned: NONE, error: undefined };
  const data = pages.data?.filter(({ id }) => !pinned.some((row) => row.id === id));
  return { ...list, ...pages, data, pinned, onlyDevice: false };
}

interface Asked {
  /** Number of visible rows. */
  shown: number;
  /** The end of the pages loaded here; undefined while only the first one is loaded. */
  edge?: Edge | undefined;
  loading?: boolean;
  error?: unknown;
}

/** Reads the list from the device, as far as pages are loaded. */
function usePages(list: ArchiveList): More & { data: Archive[] | undefined } {
  const userId = useClaims().sub;
  const db = userDb(userId);
  const [{ shown, edge, loading = false, error }, setAsked] = useState<Asked>({ shown: ARCHIVES_PAGE });
  // Keep the shorter list while the longer one loads.
  const stored = useLast(useUserLive(shownKey(shown), (here) => newestArchives(here, shown + 1)));
  const end = edge ?? firstEdge(db);
  const isMoreHere = stored !== undefined && stored.length > shown;

  async function loadMore() {
    if (loading) return;
    setAsked({ shown, edge, loading: true });
    try {
      const from = edge ?? firstEdge(db);
      const next = from?.next ? await loadPage(userId, from) : edge;
      setAsked({ shown: shown + ARCHIVES_PAGE, edge: next });
    } catch (reason) {
      // Offline, the list continues with rows stored earlier.
      setAsked(isMoreHere ? { shown: shown + ARCHIVES_PAGE, edge } : { shown, edge, error: reason });
    }
  }

  return {
    data: list.data && (stored ?? list.data).slice(0, shown),
    hasMore: isMoreHere || (end?.next ?? null) !== null,
    isLoadingMore: loading,
    moreError: error,
    loadMore,
  };
}
