import { sql } from 'drizzle-orm';
import { boolean, index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { CHANNELS } from '#contract/notifications/channels.ts';
import type { NotificationChoices } from '#contract/notifications/choices.ts';
import { bytes, created, time } from './columns.ts';
import { notifications } from './notifications.ts';
import { users } from './users.ts';

const userId = () =>
  uuid('user_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' });

/** Which notifications a user wants by which channel, and when. Users without a row have the defaults. */
export const notificationSettings = pgTable('notification_settings', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  choices: jsonb('choices').$type<NotificationChoices>().notNull(),
  /** Start and end of the quiet hours, minutes of the day in `time_zone`; null without quiet hours. */
  quietFrom: integer('quiet_from'),
  quietTo: integer('quiet_to'),
  /** IANA name. */
  timeZone: text('time_zone').notNull().default('UTC'),
});

/** Where a channel reaches a user: a chat, an address, a browser. E-mail needs none: it goes to the account's address. */
export const destinations = pgTable(
  'destinations',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userId: userId(),
    channel: text('channel', { enum: CHANNELS }).notNull(),
    address: text('address').notNull(),
    /** What the channel needs besides the address, as the channel defines it. */
    details: jsonb('details').$type<Record<string, unknown>>().notNull().default({}),
    /** A secret, sealed with SECRETS_KEY. */
    sealed: bytes('sealed'),
    /** Permanent failures in a row. */
    failures: integer('failures').notNull().default(0),
    /** Since when nothing is sent there, because the receiver refuses it. */
    endedAt: time('ended_at'),
    createdAt: created(),
  },
  (table) => [index('destinations_user').on(table.userId, table.channel), index('destinations_address').on(table.channel, table.address)],
);

/** One-time codes that connect a chat to an account. */
export const connectionCodes = pgTable(
  'connection_codes',
  {
    codeHash: text('code_hash').primaryKey(),
    userId: userId(),
    channel: text('channel', { enum: CHANNELS }).notNull(),
    expiresAt: time('expires_at').notNull(),
  },
  (table) => [index('connection_codes_user').on(table.userId), index('connection_codes_expires').on(table.expiresAt)],
);

/** A notification on its way by a channel: stored with the notification, then sent by the process that claims it. */
export const deliveries = pgTable(
  'deliveries',
  {
    /** Also the key by which receivers drop repeats. */
    id: uuid('id').primaryKey().defaultRandom(),
    userId: userId(),
    notificationId: uuid('notification_id')
      .notNull()
      .references(() => notifications.id, { onDelete: 'cascade' }),
    channel: text('channel', { enum: CHANNELS }).notNull(),
    /** Null for e-mail. */
    destinationId: uuid('destination_id').references(() => destinations.id, { onDelete: 'cascade' }),
    state: text('state', { enum: ['waiting', 'sent', 'failed', 'unneeded'] })
      .notNull()
      .default('waiting'),
    urgent: boolean('urgent').notNull(),
    /** Sent only if nothing has shown the notification by then. */
    ifUnseen: boolean('if_unseen').notNull(),
    /** Waited for the end of quiet hours. */
    held: boolean('held').notNull(),
    /** When it may be sent; while claimed, when the claim ends. */
    dueAt: time('due_at').notNull(),
    /** The claim of the process that sends it. */
    claim: uuid('claim'),
    attempts: integer('attempts').notNull().default(0),
    /** Why the last attempt failed. */
    failure: text('failure'),
    /** Proves the right to acknowledge it. */
    receipt: text('receipt').notNull(),
    sentAt: time('sent_at'),
    shownAt: time('shown_at'),
    openedAt: time('opened_at'),
    createdAt: created(),
  },
  (table) => [
    index('deliveries_due').on(table.channel, table.dueAt).where(sql`state = 'waiting'`),
    index('deliveries_user').on(table.userId, table.createdAt),
    index('deliveries_notification').on(table.notificationId),
    index('deliveries_destination').on(table.destinationId),
    index('deliveries_created').on(table.createdAt),
  ],
);
