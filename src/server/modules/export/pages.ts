import { and, asc, getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable, SelectedFields } from 'drizzle-orm/pg-core';
import type { Db } from '#server/db/open.ts';

/** Rows that are in memory at a time. */
const PAGE = 200;

type Row = Record<string, unknown>;

export interface Source {
  table: PgTable;
  /** What a row is told with. */
  columns: SelectedFields;
  /** Which rows. */
  rows: SQL | undefined;
  /** Columns that name a row, in the order of the answer. */
  order: readonly PgColumn[];
  /** What is told in place of a row. */
  tell?: (row: Row) => Row;
}

/** Reads rows page by page, each page as it is at that moment. The database is free between pages. */
export async function* readPages(db: Db, { table, columns, rows, order, tell = (row) => row }: Source): AsyncGenerator<Row> {
  const names = sql.join([...order], sql`, `);
  // As text: a time keeps its microseconds.
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
    for (const { cursor: _, ...row } of page) yield tell(row);
    last = page.at(-1)?.cursor;
    if (last === undefined) return;
  }
}

/** The named columns of a table, as `select` takes them. */
export function columnsOf<T extends PgTable>(table: T, ...names: (keyof T['_']['columns'] & string)[]): SelectedFields {
  const all = getTableColumns(table) as Record<string, PgColumn>;
  return Object.fromEntries(names.flatMap((name) => (all[name] ? [[all[name].name, all[name]]] : [])));
}

/** A JSON array, one element a line. */
export async function* jsonArray(rows: AsyncIterable<Row>): AsyncGenerator<string> {
  let isFirst = true;
  for await (const row of rows) {
    yield `${isFirst ? '[\n' : ',\n'}${JSON.stringify(row)}`;
    isFirst = false;
  }
  yield isFirst ? '[]\n' : '\n]\n';
}
