import { type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';

/** A row of a user. */
export interface OwnedId {
  userId: string;
  id: string;
}

/** Matches the rows with these owners and ids. */
export const isOneOf = (owner: PgColumn, id: PgColumn, rows: readonly OwnedId[]): SQL => {
  const [owners, ids] = [rows.map((row) => row.userId), rows.map((row) => row.id)];
  return sql`(${owner}, ${id}) in (select * from unnest(${sql.param(owners)}::uuid[], ${sql.param(ids)}::uuid[]))`;
};

/** Returns a text that identifies the row among those of all users. */
export const ownedKey = ({ userId, id }: OwnedId): string => `${userId}/${id}`;
