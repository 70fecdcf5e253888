import type * as z from 'zod/mini';
import { EXPORT_FORMAT } from '#contract/account/export-format.ts';
import type { AlertForm } from '#contract/alerts/alert-form.ts';
import { percentRule, priceRule } from '#contract/alerts/alert-rules.ts';
import { uuid } from '#contract/chat/archive.ts';
import { type ImportedChat, type ImportedMessage, isAnswered } from '#contract/chat/import-chats.ts';
import { type NotificationSettingsBody, notificationSettingsBody } from '#contract/notifications/settings.ts';
import { PRODUCT } from '#domain/product.ts';
import {
  type AlertRow,
  alertRow,
  type CoinRow,
  chatRow,
  coinRow,
  extrasOf,
  formatFile,
  type MessageRow,
  messageRow,
  settingsRow,
  toIso,
} from './exported-rows.ts';
import { NO_EXPORT, readZip, UnreadableFile, type ZipEntry } from './read-zip.ts';

/** Bytes of the file, and of one of its JSON files and pictures. */
const MAX_FILE = 200_000_000;
const MAX_JSON = 100_000_000;
const MAX_PICTURE = 20_000_000;

export interface ExportedAlert {
  id: string;
  form: AlertForm;
  /** ISO 8601, UTC. */
  firedAt: string | null;
}

/** What an export has for an account, without what cannot be added to any. */
export interface ExportContent {
  /** With their answered questions in order. */
  chats: ImportedChat[];
  /** Reads a picture by its id; undefined if the file does not have it or it is damaged. */
  picture(id: string): Promise<Blob | undefined>;
  /** In the user's order, the top one first. */
  coins: CoinRow[];
  /** Oldest first. */
  alerts: ExportedAlert[];
  settings: NotificationSettingsBody | undefined;
  /** Rows that nothing can be made of. */
  unreadable: { chats: number; messages: number; coins: number; alerts: number };
  /** Questions without an answer, which would be answered and charged. */
  unanswered: number;
  /** Chats without an answered question. */
  empty: number;
}

/** Reads the ZIP that `GET /user/{userId}/export` makes, on this device. Throws UnreadableFile. */
export async function readExport(file: Blob): Promise<ExportContent> {
  if (file.size > MAX_FILE) throw new UnreadableFile('This file is larger than 200 MB.');
  if (await isOfDevice(file)) {
    throw new UnreadableFile('This file has only the data of a device. Choose a ZIP file that was exported online.');
  }
  const zip = await readZip(file);
  if (!zip.has('chats.json')) throw new UnreadableFile(NO_EXPORT);
  await refuseNewer(zip);
  const chats = await readRows(zip, 'chats.json', chatRow);
  const messages = await readRows(zip, 'chat-messages.json', messageRow);
  const coins = await readRows(zip, 'watchlist.json', coinRow);
  const alerts = await readRows(zip, 'alerts.json', alertRow);
  const settings = await readRows(zip, 'notification-settings.json', settingsRow);

  const pictures = picturesOf(zip);
  const answered = messages.rows.filter(isAnswered);
  const joined = joinChats(chats.rows, answered, pictures);
  const usable = alerts.rows.flatMap(alertOf);
  return {
    chats: joined.chats,
    picture: async (id) =>
      pictures
        .get(id)
        ?.read(MAX_PICTURE)
        .catch(() => undefined),
    coins: [...unique(coins.rows, ({ coin_id }) => coin_id)].sort(byPlace),
    alerts: unique(usable, ({ id }) => id),
    settings: settings.rows.flatMap(settingsOf)[0],
    unreadable: {
      chats: chats.unreadable,
      messages: messages.unreadable + joined.orphans,
      coins: coins.unreadable,
      alerts: alerts.unreadable + alerts.rows.length - usable.length,
    },
    unanswered: messages.rows.length - answered.length,
    empty: joined.empty,
  };
}

/** Whether this is the JSON that a device without a connection exports. */
async function isOfDevice(file: Blob): Promise<boolean> {
  const start = await file.slice(0, 300).text();
  return /^\s*\{/.test(start) && start.includes(`"product": "${PRODUCT}"`);
}

/** Exports of earlier releases do not say which format they have. */
async function refuseNewer(zip: ReadonlyMap<string, ZipEntry>): Promise<void> {
  const about = formatFile.safeParse(await readJson(zip, 'export.json'));
  if (about.success && about.data.format > EXPORT_FORMAT)
    throw new UnreadableFile(`This file is of a newer version of ${PRODUCT}, which this one cannot read.`);
}

/** Reads a JSON file; undefined if the ZIP does not have it. */
async function readJson(zip: ReadonlyMap<string, ZipEntry>, name: string): Promise<unknown> {
  const content = await zip.get(name)?.read(MAX_JSON);
  try {
    return content && JSON.parse(await content.text());
  } catch {
    throw new UnreadableFile(`${name} in this file cannot be read. Export your data again.`);
  }
}

/** Reads the rows of a JSON file; none if the ZIP does not have it. Rows that do not fit are counted. */
async function readRows<Schema extends z.ZodMiniType>(
  zip: ReadonlyMap<string, ZipEntry>,
  name: string,
  schema: Schema,
): Promise<{ rows: z.infer<Schema>[]; unreadable: number }> {
  const list = await readJson(zip, name);
  if (list === undefined) return { rows: [], unreadable: 0 };
  if (!Array.isArray(list)) throw new UnreadableFile(`${name} in this file has no list. Export your data again.`);
  const rows = list.flatMap((row) => {
    const read = schema.safeParse(row);
    return read.success ? [read.data] : [];
  });
  return { rows, unreadable: list.length - rows.length };
}

function picturesOf(zip: ReadonlyMap<string, ZipEntry>): Map<string, ZipEntry> {
  const pictures = new Map<string, ZipEntry>();
  for (const [name, entry] of zip) {
    const id = pictureId(name);
    // The server refuses a whole request for one id of another form.
    if (uuid.safeParse(id).success) pictures.set(id as string, entry);
  }
  return pictures;
}

const pictureId = (name: string): string | undefined => name.match(/^pictures\/chats\/([0-9a-f-]{36})\.\w{1,5}$/)?.[1];

/** Keeps the first of the rows with the same id. */
function unique<Row>(rows: readonly Row[], idOf: (row: Row) => string | number): Row[] {
  const first = new Map<string | number, Row>();
  for (const row of rows) if (!first.has(idOf(row))) first.set(idOf(row), row);
  return [...first.values()];
}

/** Puts questions into their chats. Chats without one are left out, and questions of unknown chats. */
function joinChats(rows: readonly z.infer<typeof chatRow>[], messages: readonly MessageRow[], pictures: ReadonlyMap<string, ZipEntry>) {
  const byChat = new Map<string, MessageRow[]>(rows.map(({ id }) => [id.toLowerCase(), []]));
  let orphans = 0;
  for (const message of unique(messages, ({ id }) => id.toLowerCase())) {
    const chat = byChat.get(message.archive_id.toLowerCase());
    if (chat) chat.push(message);
    else orphans += 1;
  }
  const chats = unique(rows, ({ id }) => id.toLowerCase()).map(({ id, title, created_at, pinned_at }): ImportedChat => {
    const own = (byChat.get(id.toLowerCase()) ?? []).sort((a, b) => a.position - b.position);
    return {
      id,
      title,
      created_at: toIso(created_at) as string,
      ...(pinned_at && { pinned_at: toIso(pinned_at) as string }),
      messages: own.map((row) => messageOf(row, pictures)),
    };
  });
  const filled = chats.filter((chat) => chat.messages.length > 0);
  return { chats: filled, orphans, empty: chats.length - filled.length };
}

function messageOf({ archive_id: _, position: __, ...row }: MessageRow, pictures: ReadonlyMap<string, ZipEntry>): ImportedMessage {
  const picture = row.picture === null ? undefined : pictureId(row.picture);
  return {
    ...row,
    ...extrasOf(row),
    created_at: toIso(row.created_at) as string,
    answered_at: row.answered_at === null ? null : (toIso(row.answered_at) as string),
    picture: picture !== undefined && pictures.has(picture) ? picture : null,
  };
}

/** The server lists coins without a place first, the newest on top. */
const byPlace = (a: CoinRow, b: CoinRow): number =>
  (a.place ?? -1) - (b.place ?? -1) || Date.parse(toIso(b.created_at) ?? '') - Date.parse(toIso(a.created_at) ?? '');

function alertOf(row: AlertRow): ExportedAlert[] {
  const { id, kind, coin_id, coin_name: name, coin_symbol: symbol, level, period, level_name, note, rearms, paused } = row;
  const coin = coin_id === null ? null : { id: coin_id, name, symbol };
  const expires_at = row.expires_at === null ? null : toIso(row.expires_at);
  const shared = { coin, note, rearms, expires_at, paused };
  // `alertForm` itself would add its kind of union to the scripts of the first page.
  const form =
    kind === 'percent'
      ? percentRule.safeParse({ ...shared, kind, percent: level, period })
      : priceRule.safeParse({ ...shared, kind, price: level, level_name });
  return form.success ? [{ id: id.toLowerCase(), form: form.data, firedAt: row.fired_at }] : [];
}

function settingsOf({ choices, quiet_from: from, quiet_to: to, time_zone }: z.infer<typeof settingsRow>): NotificationSettingsBody[] {
  const quiet = from === null || to === null ? null : { from, to };
  const read = notificationSettingsBody.safeParse({ choices, quiet, time_zone });
  return read.success ? [read.data] : [];
}
