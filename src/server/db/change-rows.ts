import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { Db } from './open.ts';

type Row<T extends PgTable> = T['$inferSelect'];

interface Changes<T extends PgTable, Key extends keyof Row<T>, Name extends keyof Row<T>> {
  /** Columns that identify a row. */
  key: readonly Key[];
  /** Columns to set. Binary columns are not supported. */
  set: readonly Name[];
  rows: readonly Pick<Row<T>, Key | Name>[];
}

/** Updates many rows in one statement, each with its own values. */
export async function changeRows<T extends PgTable, Key extends keyof Row<T> & string, Name extends keyof Row<T> & string>(
  db: Db,
  table: T,
  { key, set, rows }: Changes<T, Key, Name>,
): Promise<void> {
  if (rows.length === 0) return;
  const columns = getTableColumns(table);
  const nameOf = (column: string): string => columns[column]?.name ?? column;
  const list = (names: readonly string[], write: (name: SQL, column: string) => SQL, between: SQL) =>
    sql.join(
      names.map((column) => write(sql.identifier(nameOf(column)).getSQL(), column)),
      between,
    );
  const used: (Key | Name)[] = [...key, ...set];
  const changes = rows.map((row) => Object.fromEntries(used.map((column) => [nameOf(column), row[column]])));
  await db.execute(sql`
    update ${table} set ${list(set, (name) => sql`${name} = changes.${name}`, sql`, `)}
    from json_to_recordset(${JSON.stringify(changes)}::json)
      as changes(${list(used, (name, column) => sql`${name} ${sql.raw(columns[column]?.getSQLType() ?? '')}`, sql`, `)})
    where ${list(key, (name) => sql`${table}.${name} = changes.${name}`, sql` and `)}`);
}
