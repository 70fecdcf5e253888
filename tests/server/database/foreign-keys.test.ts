import { getTableName } from 'drizzle-orm';
import { getTableConfig, type PgTable } from 'drizzle-orm/pg-core';
import { expect, test } from 'vitest';
import { tablesOfSchema } from '#tests/support/server/fill-tables.ts';

/** Returns the columns of each index of a table. */
function indexesOf(table: PgTable): string[][] {
  const { columns, primaryKeys, indexes } = getTableConfig(table);
  return [
    ...columns.filter(({ primary }) => primary).map(({ name }) => [name]),
    ...primaryKeys.map((key) => key.columns.map(({ name }) => name)),
    ...indexes
      .filter(({ config }) => !config.where)
      .map(({ config }) => config.columns.map((column) => ('name' in column ? String(column.name) : ''))),
  ];
}

// PostgreSQL looks for these rows when it deletes the row that they refer to. No plan of the deletion shows that.
test('an index finds the rows that refer to a row', async () => {
  const slow = (await tablesOfSchema()).flatMap((table) =>
    getTableConfig(table)
      .foreignKeys.map((key) => key.reference().columns.map(({ name }) => name))
      .filter((columns) => !indexesOf(table).some((index) => columns.every((name, at) => index[at] === name)))
      .map((columns) => `${getTableName(table)}: ${columns}`),
  );
  expect(slow).toEqual([]);
});
