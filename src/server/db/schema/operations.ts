import { index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { bytes, created, time } from './columns.ts';

/** Leases for work that only one process does at a time, such as closing candles. */
export const leases = pgTable('leases', {
  name: text('name').primaryKey(),
  owner: text('owner').notNull(),
  until: time('until').notNull(),
  fence: integer('fence').notNull().default(0),
});

/** Defaults of earlier versions that this installation keeps until its operator sets the setting. Migrations write them. */
export const keptSettings = pgTable('kept_settings', {
  name: text('name').primaryKey(),
  value: text('value').notNull(),
});

/** Identifies the secrets that every process on this database must have, without revealing them. */
export const secretFingerprints = pgTable('secret_fingerprints', {
  /** JWT_SECRET or SECRETS_KEY. */
  setting: text('setting').primaryKey(),
  fingerprint: text('fingerprint').notNull(),
  createdAt: created(),
});

/** The pair of keys that identifies this installation to push services, made once for all processes. Has one row. */
export const pushKeys = pgTable('push_keys', {
  name: text('name').primaryKey(),
  /** Encrypted with SECRETS_KEY. */
  sealed: bytes('sealed').notNull(),
  createdAt: created(),
});

/** How far cleanups have come, so that the next one, in any process, continues there. */
export const cleanupMarks = pgTable('cleanup_marks', {
  name: text('name').primaryKey(),
  reached: text('reached').notNull(),
});

/** Switches that the operator sets, such as the emergency stop for bots. */
export const operatorSwitches = pgTable('operator_switches', {
  name: text('name').primaryKey(),
  reason: text('reason').notNull(),
  createdAt: created(),
});

/** The app's files of all builds that run on this database, so that each server has those of the others. */
export const clientFiles = pgTable(
  'client_files',
  {
    /** Address below the root, with the revision if the name has no content hash. */
    key: text('key').primaryKey(),
    encoding: text('encoding', { enum: ['br', 'identity'] }).notNull(),
    content: bytes('content').notNull(),
    /** When a server of this build last ran. */
    usedAt: time('used_at').notNull().defaultNow(),
  },
  (table) => [index('client_files_used').on(table.usedAt)],
);
