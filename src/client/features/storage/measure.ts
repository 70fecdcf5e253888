import type { DraftRow, UserDb } from '#client/platform/db/user-db.ts';
import { COIN_IMAGE_CACHE } from '#contract/market/coin-images.ts';
import { type KindId, kinds } from './kinds.ts';

export interface Held {
  /** Of what the kind counts. */
  count: number;
  /** About so many bytes. */
  bytes: number;
  /** When the server last told of it, ms. */
  syncedAt: number | undefined;
}

export type Holdings = Record<KindId, Held>;

/** Pictures of messages to support that are still being written lie among the others, each under its id. */
export const draftPictures = (drafts: readonly DraftRow[]): string[] => drafts.flatMap(({ files = [] }) => files.map(({ id }) => id));

/** Where the rows of each table belong. The first of a kind is what is counted. */
const TABLES: readonly [table: string, kind: KindId][] = [
  ['messages', 'chats'],
  ['archives', 'chats'],
  ['watchlist', 'watchlist'],
  ['coins', 'market'],
  ['coinLists', 'market'],
  ['coinDetails', 'market'],
  ['candles', 'market'],
  ['indicators', 'market'],
  ['notifications', 'notifications'],
  ['bots', 'bots'],
  ['botReports', 'bots'],
  ['contacts', 'support'],
  ['drafts', 'drafts'],
  ['outbox', 'waiting'],
  ['profile', 'account'],
  ['devices', 'account'],
];

/** Which answers a kind is made of, by how their stamps begin. */
export const STAMPS: Partial<Record<KindId, RegExp>> = {
  chats: /^(archives$|chats\/)/,
  market: /^(coins?|candles|indicator)\b/,
  watchlist: /^watchlist\b/,
  notifications: /^notifications$/,
  bots: /^bots?\b/,
  account: /^(profile|devices)\b/,
};

/** What this device keeps for a user, by kind. Reads everything once. */
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

/** About how many bytes something takes where it is stored: its binary parts as they are, the rest as text. */
export function sizeOf(value: unknown): number {
  if (value instanceof ArrayBuffer) return value.byteLength;
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 8;
  let bytes = 0;
  for (const [key, part] of Object.entries(value)) bytes += (Array.isArray(value) ? 0 : key.length) + sizeOf(part);
  return bytes;
}
