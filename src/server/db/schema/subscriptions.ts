import { sql } from 'drizzle-orm';
import { boolean, index, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { created, time } from './columns.ts';
import { users } from './users.ts';

/** What a user has paid for, as last verified with the store. Without a row, or after `endsAt`, the user is on the Free plan. */
export const subscriptions = pgTable(
  'subscriptions',
  {
    userId: uuid('user_id')
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    plan: text('plan', { enum: ['BASIC', 'PRO', 'PREMIUM'] }).notNull(),
    store: text('store', { enum: ['test', 'revenuecat'] }).notNull(),
    endsAt: time('ends_at').notNull(),
    renews: boolean('renews').notNull(),
    /** The lower plan that starts at `endsAt`; null for no change. */
    nextPlan: text('next_plan', { enum: ['BASIC', 'PRO', 'PREMIUM'] }),
    verifiedAt: time('verified_at').notNull(),
    /** The plan that the user was last notified of. A different one causes a notification. */
    told: text('told', { enum: ['FREE', 'BASIC', 'PRO', 'PREMIUM'] })
      .notNull()
      .default('FREE'),
  },
  (table) => [index('subscriptions_ended').on(table.store, table.endsAt).where(sql`told <> 'FREE'`)],
);

/** Purchases at the test store. It accepts only receipts that it signed. */
export const testStore = pgTable('test_store', {
  appUserId: uuid('app_user_id').primaryKey(),
  product: text('product').notNull(),
  expiresAt: time('expires_at').notNull(),
  renews: boolean('renews').notNull(),
  nextProduct: text('next_product'),
});

/** Processed store events and receipts, so that each counts once. */
export const storeEvents = pgTable('store_events', { id: text('id').primaryKey(), createdAt: created() }, (table) => [
  index('store_events_created').on(table.createdAt),
]);
