import { createHash, randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { getTableColumns, getTableName, is } from 'drizzle-orm';
import { getTableConfig, type PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Db } from '#server/db/open.ts';

const folder = new URL('../../../src/server/db/schema/', import.meta.url);

/** Returns every table of the schema. */
export async function tablesOfSchema(): Promise<PgTable[]> {
  const subjects = await Promise.all(readdirSync(folder).map((file) => import(/* @vite-ignore */ new URL(file, folder).href)));
  return subjects.flatMap((subject): unknown[] => Object.values(subject)).filter((value): value is PgTable => is(value, PgTable));
}

/** Texts and numbers that a copy may change: separators, escapes, the ends of what a type holds. */
const TEXTS = ['a\tb\nc\\d"e\'f', '\\N', '', '😀 é \u2028 \u0001 \\u0000', '\\.', 'x'.repeat(9_000)];
const NUMBERS = [0.1 + 0.2, 1e-300, -1.7976931348623157e308, 123456789.12345679, 5e-324, Number.MAX_SAFE_INTEGER];
const JSONS = [
  { text: TEXTS[0], deep: [{ number: 1.1e-7, none: null, flag: true }] },
  { 'a"b': TEXTS[3] },
  [],
  'text',
  0.30000000000000004,
];

function plausibleValue(column: PgColumn, row: number): unknown {
  const pick = <T>(values: readonly T[]) => values[row % values.length];
  const sqlType = column.getSQLType();
  if (column.enumValues?.length) return pick(column.enumValues);
  if (sqlType === 'uuid') return randomUUID();
  if (sqlType === 'uuid[]') return row % 2 ? [] : [randomUUID(), randomUUID()];
  if (sqlType === 'integer[]') return row % 2 ? [] : [1, -2, 3];
  if (sqlType === 'text') return pick(TEXTS);
  if (sqlType === 'text[]') return row % 2 ? [] : TEXTS;
  if (sqlType === 'integer') return column.name === 'size' || column.name === 'preview_size' ? 0 : row;
  if (sqlType === 'bigint') return Number.MAX_SAFE_INTEGER - row;
  if (sqlType === 'double precision') return pick(NUMBERS);
  if (sqlType === 'jsonb') return pick(JSONS);
  if (sqlType === 'boolean') return row % 2 === 0;
  if (sqlType === 'bytea') return createHash('sha512').update(String(row)).digest();
  if (sqlType === 'timestamp with time zone') return new Date(Date.UTC(2026, 0, 1) + row * 86_399_999);
  throw new Error(`No values for ${sqlType} are known: add them here.`);
}

/** Inserts `count` rows into every table, in the order of their references. A column may be null in every third row. */
export async function fillTables(db: Db, count: number): Promise<void> {
  const tables = await tablesOfSchema();
  const rows = new Map<string, Record<string, unknown>[]>();
  while (rows.size < tables.length) {
    const table = tables.find((one) => !rows.has(getTableName(one)) && parentsOf(one).every(({ parent }) => rows.has(parent)));
    if (!table) throw new Error('Tables refer to each other in a circle.');
    const added = Array.from({ length: count }, (_, row) => rowOf(table, row, rows));
    await db.insert(table).values(added as never);
    rows.set(getTableName(table), added);
  }
}

const parentsOf = (table: PgTable) =>
  getTableConfig(table).foreignKeys.flatMap((key) => {
    const { columns, foreignTable, foreignColumns } = key.reference();
    const fields = Object.entries(getTableColumns(foreignTable));
    const fieldOf = (name: string | undefined) => fields.find(([, column]) => column.name === name)?.[0] ?? '';
    return columns.map(({ name }, at) => ({ parent: getTableName(foreignTable), own: name, field: fieldOf(foreignColumns[at]?.name) }));
  });

/** Names of the columns whose values must differ from row to row. */
function uniqueColumns(table: PgTable): Set<string> {
  const { columns, primaryKeys, indexes } = getTableConfig(table);
  const indexed = indexes.flatMap(({ config }) =>
    config.unique ? config.columns.flatMap((column) => ('name' in column ? String(column.name) : [])) : [],
  );
  return new Set(
    [...columns.filter(({ primary }) => primary), ...primaryKeys.flatMap((key) => key.columns)].map(({ name }) => name).concat(indexed),
  );
}

function rowOf(table: PgTable, row: number, filled: ReadonlyMap<string, Record<string, unknown>[]>): Record<string, unknown> {
  const parents = parentsOf(table);
  const unique = uniqueColumns(table);
  return Object.fromEntries(
    Object.entries(getTableColumns(table)).map(([field, column]) => {
      const reference = parents.find(({ own }) => own === column.name);
      if (reference) return [field, filled.get(reference.parent)?.[row]?.[reference.field]];
      if (unique.has(column.name) && column.getSQLType() === 'text') return [field, `${row} ${TEXTS[row % TEXTS.length]?.slice(0, 100)}`];
      if (unique.has(column.name) && column.getSQLType() === 'double precision') return [field, NUMBERS[row] ?? row + 0.1];
      if (!column.notNull && row % 3 === 2) return [field, null];
      return [field, plausibleValue(column, row)];
    }),
  );
}
