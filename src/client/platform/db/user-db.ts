import Dexie, { type EntityTable, type Table } from 'dexie';
import type { Device } from '#contract/account/sessions.ts';
import type { User } from '#contract/account/user.ts';
import type { Bot, BotReport } from '#contract/bots/bot.ts';
import type { Archive } from '#contract/chat/archive.ts';
import type { ChartMarks } from '#contract/chat/chart-reading.ts';
import type { Message } from '#contract/chat/chat.ts';
import type { Indicator } from '#contract/market/indicator.ts';
import type { CryptoDetails, CryptoItem, DailyCandles, MarketSource } from '#contract/market/market.ts';
import type { Notification } from '#contract/notification.ts';
import type { Command } from '../outbox/command.ts';

/** One list as it was answered: which coins in which order. The coins themselves lie in `coins`, once each. */
export interface CoinListRow {
  key: string;
  ids: number[];
  source: MarketSource;
}

export type CoinDetailsRow = CryptoDetails & { source: MarketSource };

/** When the answer behind a resource key was stored, ms. */
export interface StampRow {
  key: string;
  savedAt: number;
}

/** A picture that only its user may see, by the API path it came from. A path is another one when the picture is. */
export interface ImageRow {
  path: string;
  type: string;
  bytes: ArrayBuffer;
}

/** A coin with a heart, as the server said. What the outbox has yet to send comes on top. */
export interface WatchedRow {
  id: number;
  /** Place in the list, 0 first. */
  place: number;
}

export type CandlesRow = DailyCandles & { id: number };

/** A picture of a message to support that is still being written; its bytes lie in `images`. */
export interface DraftFile {
  id: string;
  name: string;
  type: string;
  /** Bytes. */
  size: number;
}

/** What was typed and not sent, by conversation (`new` for one that has none yet) or kind of message to support. */
export interface DraftRow {
  key: string;
  text: string;
  /** The picture that goes with it, in `attachments`. */
  imageId: string | null;
  /** The question that is being edited; null for a new one. */
  editing: string | null;
  /** Of a message to support: who writes, and what goes with it. */
  name?: string;
  files?: DraftFile[];
}

/** A picture as it will be sent, until the server has stored it. */
export interface AttachmentRow {
  id: string;
  name: string;
  type: string;
  bytes: ArrayBuffer;
  width: number;
  height: number;
  /** What this device read from it, without anybody else (contract/chat/chart-reading). */
  marks?: ChartMarks;
}

/** A message to support, from the moment it was written; its files wait in the outbox with it. */
export interface ContactRow {
  id: string;
  kind: 'contact' | 'deletion';
  message: string;
  files: number;
  /** ms. */
  createdAt: number;
  /** When the server had it, ms; null while the outbox still holds it. */
  sentAt: number | null;
  /** A try met no server, or one in trouble; another follows. */
  tried?: boolean | undefined;
  /** Why the server will not have it. */
  refused?: string | undefined;
}

/** One bot in full, as last seen. */
export type BotReportRow = BotReport & { id: string };

export type UserDb = Dexie & {
  bots: EntityTable<Bot, 'bot_id'>;
  botReports: EntityTable<BotReportRow, 'id'>;
  indicators: EntityTable<Indicator, 'timeframe'>;
  devices: EntityTable<Device, 'id'>;
  notifications: EntityTable<Notification, 'id'>;
  contacts: EntityTable<ContactRow, 'id'>;
  watchlist: EntityTable<WatchedRow, 'id'>;
  candles: EntityTable<CandlesRow, 'id'>;
  drafts: EntityTable<DraftRow, 'key'>;
  attachments: EntityTable<AttachmentRow, 'id'>;
  profile: EntityTable<User, 'id'>;
  archives: EntityTable<Archive, 'id'>;
  messages: EntityTable<Message, 'id'>;
  coins: EntityTable<CryptoItem, 'id'>;
  coinLists: EntityTable<CoinListRow, 'key'>;
  coinDetails: EntityTable<CoinDetailsRow, 'id'>;
  stamps: EntityTable<StampRow, 'key'>;
  images: EntityTable<ImageRow, 'path'>;
  outbox: Table<Command, number>;
};

const PREFIX = 'tidemark-user-';
const open = new Map<string, UserDb>();

/** The database of one user: a cache of what the server said, and the queue of what it has yet to hear. */
export function userDb(userId: string): UserDb {
  const known = open.get(userId);
  if (known) return known;
  const db = new Dexie(PREFIX + userId) as UserDb;
  // Released versions are never edited: a change of shape is a new version (tests/fixtures keeps each).
  db.version(1).stores({
    profile: 'id',
    archives: 'id, created_at',
    messages: 'id, [archive_id+position]',
    coins: 'id',
    coinLists: 'key',
    coinDetails: 'id',
    stamps: 'key',
    outbox: '++seq, &id, lane',
  });
  db.version(2).stores({ images: 'path' });
  db.version(3).stores({
    messages: 'id, [archive_id+position], chat_status',
    watchlist: 'id',
    candles: 'id',
    drafts: 'key',
    attachments: 'id',
  });
  db.version(4).stores({ notifications: 'id, created_at', contacts: 'id, createdAt' });
  db.version(5).stores({ bots: 'bot_id, created_at', botReports: 'id', indicators: 'timeframe' });
  db.version(6).stores({ devices: 'id' });
  open.set(userId, db);
  return db;
}

/** Lets go of a user's database, so that a deletion in any tab is not blocked by this one. */
export function closeUserDb(userId: string) {
  open.get(userId)?.close();
  open.delete(userId);
}

/** Closes what is open, until somebody reads or writes there. */
export function pauseUserDbs() {
  for (const db of open.values()) if (db.isOpen()) db.close({ disableAutoOpen: false });
}

export async function deleteUserDb(userId: string) {
  closeUserDb(userId);
  await Dexie.delete(PREFIX + userId);
}
