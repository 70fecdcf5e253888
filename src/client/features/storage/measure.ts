import type { DraftRow, UserDb } from '#client/platform/db/user-db.ts';
import { COIN_IMAGE_CACHE } from '#contract/market/coin-images.ts';
import { type KindId, kinds } from './kinds.ts';

export interface Held {
  /** Number of items. */
  count: number;
  /** Approximate. */
  bytes: number;
  /** When the server last sent this data, ms UTC. */
  syncedAt: number | undefined;
}

export type Holdings = Record<KindId, Held>;

/** Returns the picture ids of unsent messages to support. The `images` table has them among other pictures. */
export const draftPictures = (drafts: readonly DraftRow[]): string[] => drafts.flatMap(({ files = [] }) => files.map(({ id }) => id));

/** The kind of each table's rows. The first table of a kind has the items that are counted. */
const TABLES: readonly [table: string, kind: KindId][] = [
  ['messages', 'chats'],
  ['archives', 'chats'],
  ['watchlist', 'watchlist'],
  ['alerts', 'alerts'],
  ['firings', 'alerts'],
  ['coins', 'market'],
  ['coinLists', 'market'],
  ['coinDetails', 'market'],
  ['candles', 'market'],
  ['indicators', 'market'],
  ['notifications', 'notifications'],
  ['bots', 'bots'],
  ['botReports', 'bots'],
  ['botAnswers', 'bots'],
  ['backtests', 'bots'],
  ['contacts', 'support'],
  ['drafts', 'drafts'],
  ['outbox', 'waiting'],
  ['profile', 'account'],
  ['devices', 'account'],
];

/** Stamps of the answers that a kind is stored from. */
export const STAMPS: Partial<Record<KindId, RegExp>> = {
  chats: /^(archives$|chats\/)/,
  market: /^(coins?|candles|indicator)\b/,
  watchlist: /^watchlist\b/,
  alerts: /^alert(s|-history)$/,
  notifications: /^notifications$/,
  bots: /^(bots?|backtests?)\b/,
  account: /^(profile|devices)\b/,
};

/** Measures a user's data on this device by kind. Reads all of it once. */
export async function measure(db: UserDb, storage: CacheStorage | undefined = globalThis.caches): Promise<Holdings> {
  const holdings = Object.fromEntries(kinds.map(({ id }) => [id, { count: 0, bytes: 0, syncedAt: undefined }])) as unknown as Holdings;
  const counted = new Set<KindId>();
  for (const [table, kind] of TABLES) {
    const held = holdings[kind];
    const counts = !counted.has(kind);
    counted.add(kind);
    await db.table(table).each((row: unknown) => {
      held.bytes += sizeOf(row);
      if (counts) held.count += 1;
    });
  }
  const drafts = await db.drafts.toArray();
  const attached = new Set(drafts.map(({ imageId }) => imageId));
  await db.attachments.each((row) => {
    holdings[attached.has(row.id) ? 'drafts' : 'waiting'].bytes += sizeOf(row);
  });
  const drafted = draftPictures(drafts);
  await db.images.each((row) => {
    const held = drafted.some((id) => row.path.includes(id)) ? holdings.drafts : holdings.images;
    held.bytes += sizeOf(row);
    if (held === holdings.images) held.count += 1;
  });
  for (const { key, savedAt } of await db.stamps.toArray()) {
    for (const { id } of kinds) {
      if (STAMPS[id]?.test(key)) holdings[id].syncedAt = Math.max(holdings[id].syncedAt ?? 0, savedAt);
    }
  }
  if (storage) await measureCaches(storage, holdings);
  return holdings;
}

async function measureCaches(storage: CacheStorage, holdings: Holdings): Promise<void> {
  for (const name of await storage.keys()) {
    const held = name === COIN_IMAGE_CACHE ? holdings.images : holdings.app;
    const cache = await storage.open(name);
    for (const request of await cache.keys()) {
      const answer = await cache.match(request);
      held.count += 1;
      held.bytes += (await answer?.arrayBuffer())?.byteLength ?? 0;
    }
  }
}

/** Estimates the stored size of a value in bytes: binary parts exactly, the rest as text. */
export function sizeOf(value: unknown): number {
  if (value instanceof ArrayBuffer) return value.byteLength;
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 8;
  let bytes = 0;
  for (const [key, part] of Object.entries(value)) bytes += (Array.isArray(value) ? 0 : key.length) + sizeOf(part);
  return bytes;
}
