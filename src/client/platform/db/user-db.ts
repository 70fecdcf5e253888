import Dexie, { type EntityTable, type Table } from 'dexie';
import type { Device } from '#contract/account/sessions.ts';
import type { User } from '#contract/account/user.ts';
import type { Alert, Firing } from '#contract/alerts/alert.ts';
import type { BacktestList, BacktestReport } from '#contract/bots/backtest.ts';
import type { Bot, BotReport } from '#contract/bots/bot.ts';
import type { AnswerFigures } from '#contract/chat/answer-figures.ts';
import type { Archive } from '#contract/chat/archive.ts';
import type { ChartMarks } from '#contract/chat/chart-reading.ts';
import type { Message } from '#contract/chat/chat.ts';
import type { Action } from '#contract/chat/offers.ts';
import type { ChartCandles } from '#contract/market/chart-candles.ts';
import type { CryptoDetails } from '#contract/market/coin-details.ts';
import type { Indicator } from '#contract/market/indicator.ts';
import type { CryptoItem, MarketSource } from '#contract/market/market.ts';
import type { MarketTotals } from '#contract/market/totals.ts';
import type { Notification } from '#contract/notification.ts';
import type { Command } from '../outbox/command.ts';
import { userDbName } from './db-names.ts';
import { nameCandles } from './name-candles.ts';
import { closeUserDb, openDbs } from './open-dbs.ts';
import { readWholeRows } from './whole-rows.ts';

/** A list from the server: the ids of its coins in order. The coins are in `coins`, once each. */
export interface CoinListRow {
  key: string;
  ids: number[];
  source: MarketSource;
  /** The market's sums, under their own key and without coins. */
  totals?: MarketTotals;
}

export type CoinDetailsRow = CryptoDetails & { source: MarketSource };

/** When the answer of a resource key was stored, ms. */
export interface StampRow {
  key: string;
  savedAt: number;
}

/** A private picture by its API path. A new picture has a new path. */
export interface ImageRow {
  path: string;
  type: string;
  bytes: ArrayBuffer;
}

/** A coin of the watchlist, as the server last sent it. Unsent changes are in the outbox. */
export interface WatchedRow {
  id: number;
  /** Position in the list, from 0. */
  place: number;
}

/** Candles of a coin in a period, by resource key. Earlier versions stored all daily candles by the coin's id. */
export type CandlesRow = ChartCandles & { id: string };

/** A picture of an unsent message to support. Its bytes are in `images`. */
export interface DraftFile {
  id: string;
  name: string;
  type: string;
  /** Bytes. */
  size: number;
}

/** An answer of the analyst's rules on this device, from the figures that it had. */
export interface DeviceAnswer {
  /** Markdown. */
  text: string;
  /** The time of the figures, ms UTC. */
  asOf: number;
  /** Questions that it asks back. */
  choices?: string[];
  /** What it offers to do. */
  action?: Action;
  /** Answers of earlier versions have none. */
  figures?: AnswerFigures;
}

/** A message as the device stores it. The server does not know the device's answer. */
export type MessageRow = Message & { device_answer?: DeviceAnswer };

/** Unsent text, by conversation (`new` before there is one) or by kind of message to support. */
export interface DraftRow {
  key: string;
  text: string;
  /** The attached picture, in `attachments`. */
  imageId: string | null;
  /** The id of the question that the user edits; null for a new one. */
  editing: string | null;
  /** Messages to support only: the sender's name and the attached files. */
  name?: string;
  files?: DraftFile[];
}

/** A picture ready to upload, until the server has stored it. */
export interface AttachmentRow {
  id: string;
  name: string;
  type: string;
  bytes: ArrayBuffer;
  width: number;
  height: number;
  /** The chart marks that this device read from the picture. */
  marks?: ChartMarks;
}

/** A message to support, from the moment the user submits it. Its files are in the outbox. */
export interface ContactRow {
  id: string;
  kind: 'contact' | 'deletion';
  message: string;
  files: number;
  /** ms. */
  createdAt: number;
  /** When the server stored it, ms; null while it is in the outbox. */
  sentAt: number | null;
  /** An attempt failed and will be retried. */
  tried?: boolean | undefined;
  /** Why the server refused it. */
  refused?: string | undefined;
}

/** The full report of one bot, as last fetched. */
export type BotReportRow = BotReport & { id: string };

/** An answer about a bot by its resource key, as last fetched. `bot_id` is empty for answers about all bots. */
export interface BotAnswerRow {
  key: string;
  bot_id: string;
  answer: unknown;
}

/** A backtest as last fetched, by its id, or the list of them. */
export interface BacktestRow {
  id: string;
  list?: BacktestList;
  report?: BacktestReport;
}

/** The tables of a user's database, or of a transaction of it. */
export interface UserTables {
  bots: EntityTable<Bot, 'bot_id'>;
  botReports: EntityTable<BotReportRow, 'id'>;
  botAnswers: EntityTable<BotAnswerRow, 'key'>;
  backtests: EntityTable<BacktestRow, 'id'>;
  indicators: EntityTable<Indicator, 'timeframe'>;
  devices: EntityTable<Device, 'id'>;
  notifications: EntityTable<Notification, 'id'>;
  contacts: EntityTable<ContactRow, 'id'>;
  watchlist: EntityTable<WatchedRow, 'id'>;
  alerts: EntityTable<Alert, 'id'>;
  firings: EntityTable<Firing, 'id'>;
  candles: EntityTable<CandlesRow, 'id'>;
  drafts: EntityTable<DraftRow, 'key'>;
  attachments: EntityTable<AttachmentRow, 'id'>;
  profile: EntityTable<User, 'id'>;
  archives: EntityTable<Archive, 'id'>;
  messages: EntityTable<MessageRow, 'id'>;
  coins: EntityTable<CryptoItem, 'id'>;
  coinLists: EntityTable<CoinListRow, 'key'>;
  coinDetails: EntityTable<CoinDetailsRow, 'id'>;
  stamps: EntityTable<StampRow, 'key'>;
  images: EntityTable<ImageRow, 'path'>;
  outbox: Table<Command, number>;
}

export type UserDb = Dexie & UserTables;

/** Opens the database of one user: a cache of server data, and the outbox of unsent commands. */
export function userDb(userId: string): UserDb {
  const name = userDbName(userId);
  const known = openDbs.get(name);
  if (known) return known as UserDb;
  const db = new Dexie(name) as UserDb;
  // Only the latest version is declared: raise the number with each change of a store. Its upgrade runs after any older version.
  // tests/fixtures has data of each released version.
  db.version(11)
    .stores({
      profile: 'id',
      archives: 'id, created_at, pinned_at',
      messages: 'id, [archive_id+position], chat_status',
      coins: 'id',
      coinLists: 'key',
      coinDetails: 'id',
      stamps: 'key',
      outbox: '++seq, &id, lane',
      images: 'path',
      watchlist: 'id',
      alerts: 'id',
      firings: 'id, at',
      candles: 'id',
      drafts: 'key',
      attachments: 'id',
      notifications: 'id, created_at',
      contacts: 'id, createdAt',
      bots: 'bot_id, created_at',
      botReports: 'id',
      botAnswers: 'key',
      backtests: 'id',
      indicators: 'timeframe',
      devices: 'id',
    })
    .upgrade(nameCandles);
  readWholeRows(db);
  openDbs.set(name, db);
  return db;
}

/** Deletes a user's database if it has no rows. */
export async function deleteIfEmpty(userId: string) {
  const db = userDb(userId);
  const counts = await Promise.all(db.tables.map((table) => table.count()));
  if (counts.every((count) => count === 0)) await deleteUserDb(userId);
  else closeUserDb(userId);
}

export async function deleteUserDb(userId: string) {
  closeUserDb(userId);
  await Dexie.delete(userDbName(userId));
}
