import { useState } from 'react';
import useSWR from 'swr';
import { useLive } from '#client/platform/cache/use-live.ts';
import { transact } from '#client/platform/db/transact.ts';
import { type UserDb, userDb } from '#client/platform/db/user-db.ts';
import { useClaims } from '#client/platform/session/use-session.ts';
import type { Archive } from '#contract/chat/archive.ts';
import { MAX_SEARCH } from '#contract/chat/archive-limits.ts';
import { fetchArchives, isOlder, lacksChange, storeListed } from '../archives.ts';
import { searchArchives } from '../search-archives.ts';
import type { More } from './more.ts';

/** Ids that the server found, and the cursor of the next page. */
interface Found {
  ids: string[];
  next: string | null;
}

interface Asked extends Found {
  text: string;
  loading?: boolean;
  error?: unknown;
}

/** Maximum number of consecutive empty pages to request; the server scans a limited number of questions per page. */
const EMPTY_PAGES = 5;

/** Fetches one page of search results and stores its rows. */
async function searchServer(db: UserDb, userId: string, text: string, cursor: string | null): Promise<Found> {
  for (let page = 1, from = cursor; ; page++) {
    const askedAt = Date.now();
    const { listed, next } = await fetchArchives(userId, text, from);
    if (listed.length === 0 && next !== null && page < EMPTY_PAGES) {
      from = next;
      continue;
    }
    const isStored = await transact(db, [db.archives, db.messages, db.outbox, db.stamps], async (db) => {
      if (await lacksChange(db, askedAt)) return false;
      const rows = await db.archives.bulkGet(listed.map(({ id }) => id));
      await storeListed(db, listed, new Map(rows.flatMap((row) => (row ? [[row.id, row]] : []))));
      return true;
    });
    if (isStored) return { ids: listed.map(({ id }) => id), next };
  }
}

interface ArchiveSearch extends More {
  data: Archive[] | undefined;
  isLoading: boolean;
  onlyDevice: boolean;
}

/** Returns search results, newest first: the device's at once, then the server's page by page. */
export function useArchiveSearch(search: string): ArchiveSearch {
  const userId = useClaims().sub;
  const db = userDb(userId);
  const text = search.slice(0, MAX_SEARCH);
  const here = useLive(text ? `${db.name}/found/${text}` : null, () => searchArchives(db, text));
  const there = useSWR(text ? `${db.name}/search/${text}` : null, () => searchServer(db, userId, text, null));
  const [asked, setAsked] = useState<Asked>();
  const more = asked?.text === text ? asked : undefined;
  const next = (more ?? there.data)?.next ?? null;

  const ids = [...(there.data?.ids ?? []), ...(more?.ids ?? [])];
  const stored = useLive(ids.length > 0 ? `${db.name}/ids/${ids.join()}` : null, () => db.archives.bulkGet(ids));

  async function loadMore() {
    if (more?.loading || next === null) return;
    const kept = { text, ids: more?.ids ?? [], next };
    setAsked({ ...kept, loading: true });
    try {
      const page = await searchServer(db, userId, text, next);
      setAsked({ text, ids: [...kept.ids, ...page.ids], next: page.next });
    } catch (error) {
      setAsked({ ...kept, error });
    }
  }

  // Hide local results older than the server's last row until its next page arrives, to keep the order.
  const last = next === null ? undefined : stored?.at(-1);
  const isLoading = !here || (here.length === 0 && (there.isLoading || (ids.length > 0 && !stored)));
  return {
    data: isLoading ? undefined : merge(here, stored ?? []).filter((row) => !last || !isOlder(row, last)),
    isLoading,
    onlyDevice: there.error !== undefined,
    hasMore: next !== null,
    isLoadingMore: more?.loading ?? false,
    moreError: more?.error,
    loadMore,
  };
}

/** Merges both results, newest first, without conversations deleted in the meantime. */
function merge(here: Archive[], there: (Archive | undefined)[]): Archive[] {
  const found = new Map([...there, ...here].flatMap((row) => (row ? [[row.id, row]] : [])));
  return [...found.values()].sort((a, b) => b.created_at.localeCompare(a.created_at));
}
