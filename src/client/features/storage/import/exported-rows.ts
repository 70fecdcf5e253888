import * as z from 'zod/mini';
import { ALERT_KINDS, ALERT_PERIODS } from '#contract/alerts/alert-limits.ts';
import { readFigures } from '#contract/chat/answer-figures.ts';
import { uuid } from '#contract/chat/archive.ts';
import { MAX_TITLE } from '#contract/chat/archive-limits.ts';
import { chartMarks } from '#contract/chat/chart-reading.ts';
import { rating } from '#contract/chat/chat.ts';
import { MAX_IMPORTED_ANSWER } from '#contract/chat/import-chats.ts';
import { choices } from '#contract/chat/offers.ts';
import { MAX_QUESTION } from '#contract/chat/question-limits.ts';
import { coinId } from '#contract/market/watchlist.ts';
import { atMost, listOf } from '#contract/text.ts';

const LAST_DAY = Date.UTC(9999, 11, 31);

/** Reads a time as this and earlier servers write it. Returns ISO 8601 in UTC; undefined for what is no time since 1970. */
export function toIso(text: string): string | undefined {
  const at = Date.parse(text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'));
  return at >= 0 && at <= LAST_DAY ? new Date(at).toISOString() : undefined;
}

const time = z.string().check(
  atMost(40),
  z.refine((text) => toIso(text) !== undefined),
);

/** What export.json says. */
export const formatFile = z.object({ format: z.number() });

/** Rows of the export's files (`src/server/modules/export/lists.ts`), as far as they are read. */
export const chatRow = z.object({
  id: uuid,
  title: z.string().check(atMost(MAX_TITLE)),
  created_at: time,
  // Exports of earlier releases have none.
  pinned_at: z.optional(z.nullable(time)),
});

export const messageRow = z.object({
  id: uuid,
  archive_id: uuid,
  position: z.number(),
  user_message: z.string().check(atMost(MAX_QUESTION)),
  ai_response: z.string().check(atMost(MAX_IMPORTED_ANSWER)),
  // Exports of earlier releases lack some, and those of later ones may have them in another way.
  figures: z.optional(z.unknown()),
  marks: z.optional(z.unknown()),
  coins: z.optional(z.unknown()),
  choices: z.optional(z.unknown()),
  failed: z.boolean(),
  stopped: z.boolean(),
  rating: z.nullable(rating),
  created_at: time,
  answered_at: z.nullable(time),
  picture: z.nullable(z.string().check(atMost(100))),
});
const coins = z.array(coinId).check(listOf(10));

/** Returns what an answer has beside its text, as far as it can be read: an odd row must not make a request too large. */
export const extrasOf = (row: Pick<MessageRow, 'figures' | 'marks' | 'coins' | 'choices'>) => ({
  figures: readFigures(row.figures),
  marks: z.safeParse(chartMarks, row.marks).data,
  coins: z.safeParse(coins, row.coins).data,
  choices: z.safeParse(choices, row.choices).data,
});

export type MessageRow = z.infer<typeof messageRow>;

export const coinRow = z.object({
  coin_id: coinId,
  symbol: z.string().check(atMost(64)),
  name: z.string().check(atMost(200)),
  /** Null for coins that come first, the newest on top. */
  place: z.nullable(z.number()),
  created_at: time,
});
export type CoinRow = z.infer<typeof coinRow>;

export const alertRow = z.object({
  id: uuid,
  kind: z.enum(ALERT_KINDS),
  coin_id: z.nullable(coinId),
  coin_name: z.string(),
  coin_symbol: z.string(),
  level: z.number(),
  period: z.nullable(z.enum(ALERT_PERIODS)),
  level_name: z.nullable(z.string()),
  note: z.string(),
  rearms: z.boolean(),
  expires_at: z.nullable(time),
  paused: z.boolean(),
  fired_at: z.nullable(time),
  created_at: time,
});
export type AlertRow = z.infer<typeof alertRow>;

export const settingsRow = z.object({
  choices: z.unknown(),
  quiet_from: z.nullable(z.number()),
  quiet_to: z.nullable(z.number()),
  time_zone: z.string(),
});
