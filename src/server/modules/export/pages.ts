import { and, asc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable, SelectedFields } from 'drizzle-orm/pg-core';
import type { Db } from '#server/db/open.ts';

/** Rows in memory at a time. */
const PAGE = 200;

type Row = Record<string, unknown>;

export interface Source {
  table: PgTable;
  /** Exported columns. */
  columns: SelectedFields;
  /** Row filter. */
  rows: SQL | undefined;
  /** Columns that identify a row, in sort order. */
  order: readonly PgColumn[];
  /** Reads the rows of one id after another: an index that starts with `column` has them in order, and nothing is sorted. */
  by?: { column: PgColumn; ids: (db: Db) => Promise<readonly string[]> };
  /** Replaces a row before it is exported. */
  mapRow?: (row: Row) => Row;
}

/** Reads rows page by page. Each page shows its current rows, and other queries can run between pages. */
export async function* readPages(db: Db, { by, ...source }: Source): AsyncGenerator<Row> {
  if (!by) return yield* readOrdered(db, source);
  for (const id of await by.ids(db)) yield* readOrdered(db, { ...source, rows: and(source.rows, eq(by.column, id)) });
}

async function* readOrdered(db: Db, { table, columns, rows, order, mapRow = (row) => row }: Omit<Source, 'by'>): AsyncGenerator<Row> {
  const names = sql.join([...order], sql`, `);
  // Cast to text so that a time keeps its microseconds.
  const cursor = sql<string[]>`json_build_array(${sql.join(
    order.map((column) => sql`${column}::text`),
    sql`, `,
  )})`;
  for (let last: string[] | undefined; ; ) {
    const values = last?.map((value, at) => sql`${value}::${sql.raw(order[at]?.getSQLType() ?? 'text')}`);
    const after = values && sql`(${names}) > (${sql.join(values, sql`, `)})`;
    const page = (await db
      .select({ ...columns, cursor })
      .from(table)
      .where(and(rows, after))
      .orderBy(...order.map((column) => asc(column)))
      .limit(PAGE)) as (Row & { cursor: string[] })[];
    for (const { cursor: _, ...row } of page) yield mapRow(row);
    last = page.at(-1)?.cursor;
    if (last === undefined) return;
  }
}

/** Selects the named columns of a table for `select`. */
export function columnsOf<T extends PgTable>(table: T, ...names: (keyof T['_']['columns'] & string)[]): SelectedFields {
  const all = getTableColumns(table) as Record<string, PgColumn>;
  return Object.fromEntries(names.flatMap((name) => (all[name] ? [[all[name].name, all[name]]] : [])));
}

/** Serializes rows as a JSON array with one element per line. */
export async function* jsonArray(rows: AsyncIterable<Row>): AsyncGenerator<string> {
  let isFirst = true;
  for await (const row of rows) {
    yield `${isFirst ? '[\n' : ',\n'}${JSON.stringify(row)}`;
    isFirst = false;
  }
  yield isFirst ? '[]\n' : '\n]\n';
}
