import { customType, integer, text, timestamp } from 'drizzle-orm/pg-core';

export const time = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });

export const bytes = customType<{ data: Buffer; driverData: Uint8Array }>({
  dataType: () => 'bytea',
  fromDriver: (value) => Buffer.from(value),
});

/** Name and size of content in the blob store; null in old rows that still hold the bytes themselves. */
export const blobHash = (name: string) => text(name);

export const blobSize = (name: string) => integer(name).notNull().default(0);

export const created = () => time('created_at').notNull().defaultNow();
