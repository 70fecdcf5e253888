import { useState } from 'react';
import { useLast } from '#client/platform/cache/use-last.ts';
import { useLive } from '#client/platform/cache/use-live.ts';
import { userDb } from '#client/platform/db/user-db.ts';
import { useClaims } from '#client/platform/session/use-session.ts';
import { ARCHIVES_PAGE, type Archive } from '#contract/chat/archive.ts';
import { type Edge, firstEdge, loadPage, newestArchives } from '../archives.ts';
import { type ArchiveList, useArchiveList } from '../use-archive-list.ts';
import type { More } from './more.ts';
import { useArchiveSearch } from './use-archive-search.ts';

export interface ArchivePages extends ArchiveList, More {
  /** A search the server could not be asked: only what is on this device was found. */
  onlyDevice: boolean;
}

/** The user's conversations page by page, or those that `search` finds: on the device at once, and what else the server finds. */
export function useArchivePages(search: string): ArchivePages {
  const text = search.trim();
  const list = useArchiveList();
  const pages = usePages(list);
  const found = useArchiveSearch(text);
  return text ? { ...list, ...found, error: undefined } : { ...list, ...pages, onlyDevice: false };
}

interface Asked {
  /** How many rows are shown. */
  shown: number;
  /** Where the pages end that were asked for here; undefined while there is only the first one. */
  edge?: Edge | undefined;
  loading?: boolean;
  error?: unknown;
}

/** The list from the device, as far as pages were asked for. */
function usePages(list: ArchiveList): More & { data: Archive[] | undefined } {
  const userId = useClaims().sub;
  const db = userDb(userId);
  const [{ shown, edge, loading = false, error }, setAsked] = useState<Asked>({ shown: ARCHIVES_PAGE });
  // While the device reads a longer list, the shorter one stays.
  const stored = useLast(useLive(`${db.name}/archives/${shown}`, () => newestArchives(db, shown + 1)));
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
      // Without a connection the list goes on with what the device kept from before.
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
