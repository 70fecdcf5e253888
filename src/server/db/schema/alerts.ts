import { isNotNull } from 'drizzle-orm';
import { boolean, doublePrecision, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { ALERT_KINDS, ALERT_PERIODS } from '#contract/alerts/alert-limits.ts';
import { created, time } from './columns.ts';
import { users } from './users.ts';

const userId = () =>
  uuid('user_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' });

/** Users' price alerts. Devices make the ids, so each key includes the user. */
export const alerts = pgTable(
  'alerts',
  {
    userId: userId(),
    id: uuid('id').notNull(),
    kind: text('kind', { enum: ALERT_KINDS }).notNull(),
    /** Null for every coin of the watchlist. */
    coinId: integer('coin_id'),
    coinName: text('coin_name').notNull().default(''),
    coinSymbol: text('coin_symbol').notNull().default(''),
    /** USD, or percent for the kind `percent`. */
    level: doublePrecision('level').notNull(),
    period: text('period', { enum: ALERT_PERIODS }),
    levelName: text('level_name'),
    note: text('note').notNull().default(''),
    rearms: boolean('rearms').notNull(),
    expiresAt: time('expires_at'),
    paused: boolean('paused').notNull().default(false),
    firedAt: time('fired_at'),
    createdAt: created(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.id] })],
);

/** What a watch compares with its trigger: a measure and a direction. */
export const MOVES = ['price up', 'price down', '1h up', '1h down', '24h up', '24h down', '7d up', '7d down'] as const;

/** An alert's state for each of its coins: one, or all of the watchlist. A paused alert has none. */
export const alertWatches = pgTable(
  'alert_watches',
  {
    userId: userId(),
    alertId: uuid('alert_id').notNull(),
    coinId: integer('coin_id').notNull(),
    state: text('state', { enum: ['new', 'armed', 'waiting', 'done'] }).notNull(),
    move: text('move', { enum: MOVES }).notNull(),
    /** The state can change when the move has this value or more. Values of a move down are negative. Null once the watch is done. */
    trigger: doublePrecision('trigger'),
    /** Values of this time and before do not count. */
    since: time('since').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.alertId, table.coinId] }),
    index('alert_watches_trigger').on(table.coinId, table.move, table.trigger).where(isNotNull(table.trigger)),
  ],
);

/** How far the prices of coins with alerts have been checked, for all processes. */
export const alertPrices = pgTable('alert_prices', {
  coinId: integer('coin_id').primaryKey(),
  /** Prices up to here are checked. */
  seenUntil: time('seen_until').notNull(),
  /** Since when, and between which bounds (USD), prices are known in the hour of `seen_until`. */
  seenFrom: time('seen_from').notNull(),
  high: doublePrecision('high'),
  low: doublePrecision('low'),
  /** When an alert of the coin was last made or changed: then the next pass checks it although its price is the same. */
  changedAt: time('changed_at').notNull(),
});

/** Firings of alerts, stored with their notification. They stay when the alert is changed or deleted. */
export const alertFirings = pgTable(
  'alert_firings',
  {
    userId: userId(),
    id: uuid('id').notNull().defaultRandom(),
    alertId: uuid('alert_id').notNull(),
    kind: text('kind', { enum: ALERT_KINDS }).notNull(),
    coinId: integer('coin_id').notNull(),
    coinName: text('coin_name').notNull(),
    coinSymbol: text('coin_symbol').notNull(),
    /** USD, or percent for the kind `percent`. */
    level: doublePrecision('level').notNull(),
    period: text('period', { enum: ALERT_PERIODS }),
    levelName: text('level_name'),
    note: text('note').notNull(),
    /** USD. */
    price: doublePrecision('price').notNull(),
    /** Percent in the period; null for a price. */
    change: doublePrecision('change'),
    source: text('source').notNull(),
    at: time('at').notNull(),
    createdAt: created(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    index('alert_firings_user').on(table.userId, table.createdAt),
    index('alert_firings_created').on(table.createdAt),
  ],
);
