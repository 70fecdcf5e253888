import { integer, pgTable, text } from 'drizzle-orm/pg-core';
import { created, time } from './columns.ts';

/** Work that one process at a time does for all, such as closing candles. */
export const leases = pgTable('leases', {
  name: text('name').primaryKey(),
  owner: text('owner').notNull(),
  until: time('until').notNull(),
  fence: integer('fence').notNull().default(0),
});

/** Switches the operator has thrown, such as the halt of all bots. */
export const operatorSwitches = pgTable('operator_switches', {
  name: text('name').primaryKey(),
  reason: text('reason').notNull(),
  createdAt: created(),
});
