import useSWR from 'swr';
import type { Archive } from '../../../contract/archive';
import { useLive } from '../../platform/cache/use-live';
import { type ResourceState, useResource } from '../../platform/cache/use-resource';
import { userDb } from '../../platform/db/user-db';
import { useClaims } from '../../platform/session/use-session';
import { withEdits } from './archive-edits';
import { archives, fetchArchives, unsentArchiveIds } from './archives';
import { searchArchives } from './search-archives';

export interface ArchiveList extends ResourceState<Archive[]> {
  /** Conversations with a question that has not reached the server. */
  unsent: ReadonlySet<string>;
  /** A search the server could not be asked: only what is on this device was found. */
  onlyDevice: boolean;
}

const NONE: ReadonlySet<string> = new Set();

/** All conversations, or those `search` finds: on the device at once, and whatever else the server finds. */
export function useArchiveList(search = ''): ArchiveList {
  const userId = useClaims().sub;
  const db = userDb(userId);
  const text = search.trim();

  const all = useResource(archives, { userId });
  const unsent = useLive(`${db.name}/unsent`, () => unsentArchiveIds(db)) ?? NONE;
  const here = useLive(text ? `${db.name}/found/${text}` : null, () => searchArchives(db, text));
  const there = useSWR(text ? `${db.name}/search/${text}` : null, () => fetchArchives(userId, text));
  const found = useLive(there.data ? `${db.name}/edited/${text}/${there.data.map(({ id }) => id).join()}` : null, () =>
    withEdits(db, there.data ?? []),
  );

  if (!text) return { ...all, unsent, onlyDevice: false };
  const searching = !here || (there.isLoading && here.length === 0);
  return {
    ...all,
    data: searching ? undefined : merge(here, found ?? [], all.data ?? []),
    isLoading: searching,
    error: undefined,
    unsent,
    onlyDevice: there.error !== undefined,
  };
}

/** What either found, newest first; a row as the device has it, because that one follows changes. */
function merge(here: Archive[], there: Archive[], known: Archive[]): Archive[] {
  const stored = new Map(known.map((row) => [row.id, row]));
  const found = new Map([...there, ...here].map((row) => [row.id, stored.get(row.id) ?? row]));
  return [...found.values()].sort((a, b) => b.created_at.localeCompare(a.created_at));
}
