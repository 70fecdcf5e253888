import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { zipStream } from '#server/modules/export/zip.ts';

export const CHAT = '11111111-1111-4111-8111-111111111111';
export const PICTURE = '22222222-2222-4222-8222-222222222222';
const CREATED = '2026-10-01T10:00:00.000Z';

/** An id that ends with a number. */
export const idOf = (number: number): string => `33333333-3333-4333-8333-${String(number).padStart(12, '0')}`;

/** Rows as an export has them. */
export const exportedChat = (changes: object = {}) => ({ id: CHAT, title: 'Bitcoin', created_at: CREATED, ...changes });

export const exportedMessage = (changes: object = {}) => ({
  id: idOf(1),
  archive_id: CHAT,
  position: 1,
  user_message: 'How is Bitcoin doing?',
  ai_response: 'It rises.',
  action: null,
  figures: null,
  failed: false,
  stopped: false,
  rating: null,
  created_at: CREATED,
  answered_at: CREATED,
  picture: null,
  ...changes,
});

export const exportedCoin = (changes: object = {}) => ({
  coin_id: 1,
  symbol: 'BTC',
  name: 'Bitcoin',
  place: null,
  created_at: CREATED,
  ...changes,
});

export const exportedAlert = (changes: object = {}) => ({
  id: idOf(1),
  kind: 'above',
  coin_id: 1,
  coin_name: 'Bitcoin',
  coin_symbol: 'BTC',
  level: 150_000,
  period: null,
  level_name: null,
  note: '',
  rearms: false,
  expires_at: null,
  paused: false,
  fired_at: null,
  created_at: CREATED,
  ...changes,
});

/** Files of an export by name: text, rows that become JSON, or bytes. */
export type ExportedFiles = Record<string, string | Buffer | readonly object[]>;

/** An export with one chat, one coin and one alert. */
export const exportedFiles = (changes: ExportedFiles = {}): ExportedFiles => ({
  'README.txt': 'Your Tidemark data',
  'export.json': '{"format": 1}',
  'chats.json': [exportedChat()],
  'chat-messages.json': [exportedMessage()],
  'watchlist.json': [exportedCoin()],
  'alerts.json': [exportedAlert()],
  'notification-settings.json': [],
  ...changes,
});

/** Packs files as the server packs an export. */
export const packed = (files: ExportedFiles): Promise<Buffer> => {
  const entries = Object.entries(files).map(([name, content]) => {
    const bytes = Buffer.isBuffer(content) ? content : Buffer.from(typeof content === 'string' ? content : JSON.stringify(content));
    return { name, body: Readable.from([bytes]), compress: !name.startsWith('pictures/') };
  });
  return buffer(zipStream(Readable.from(entries), new Date(2026, 1)));
};
