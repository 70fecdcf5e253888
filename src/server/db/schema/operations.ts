import { integer, pgTable, text } from 'drizzle-orm/pg-core';
import { created, time } from './columns.ts';

/** Leases for work that only one process does at a time, such as closing candles. */
export const leases = pgTable('leases', {
  name: text('name').primaryKey(),
  owner: text('owner').notNull(),
  until: time('until').notNull(),
  fence: integer('fence').notNull().default(0),
});

/** Switches that the operator sets, such as the emergency stop for bots. */
export const operatorSwitches = pgTable('operator_switches', {
  name: text('name').primaryKey(),
  reason: text('reason').notNull(),
  createdAt: created(),
});
