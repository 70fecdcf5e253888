import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { NOTIFICATION_KINDS } from '#contract/notification.ts';
import { created, time } from './columns.ts';
import { users } from './users.ts';

/** Notifications for a user. Cleanup deletes old ones. */
export const notifications = pgTable(
  'notifications',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    kind: text('kind', { enum: NOTIFICATION_KINDS }).notNull(),
    text: text('text').notNull(),
    link: text('link'),
    readAt: time('read_at'),
    createdAt: created(),
  },
  (table) => [index('notifications_user').on(table.userId, table.createdAt), index('notifications_created').on(table.createdAt)],
);
