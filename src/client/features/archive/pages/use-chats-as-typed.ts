import { useUserLive } from '#client/platform/cache/use-live.ts';
import type { Archive } from '#contract/chat/archive.ts';
import { fold } from '#domain/text.ts';
import { newestArchives } from '../archives.ts';
import { useArchiveSearch } from './use-archive-search.ts';

/** Conversations whose titles are read. The search that follows a pause reads all. */
const TITLES = 500;

/**
 * Searches conversations with each key: titles on this device at once, then messages and the server. `settled` is `text` once the
 * user pauses. Without text, returns the newest ones.
 */
export function useChatsAsTyped(text: string, settled: string): Archive[] {
  const newest = useUserLive(`archives/titles/${TITLES}`, (db) => newestArchives(db, TITLES)) ?? [];
  const found = useArchiveSearch(text === settled ? text : '').data;
  const titled = text ? newest.filter(({ archive_title }) => fold(archive_title).includes(fold(text))) : newest;
  const ids = new Set(titled.map(({ id }) => id));
  return text ? [...titled, ...(found ?? []).filter(({ id }) => !ids.has(id))] : titled;
}
