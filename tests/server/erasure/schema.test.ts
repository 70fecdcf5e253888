import { readdirSync } from 'node:fs';
import { getTableColumns, getTableName, is } from 'drizzle-orm';
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core';
import { expect, test } from 'vitest';
import { ERASED_TABLES, KEPT_TABLES } from '#server/operator/erasure/plan.ts';

const folder = new URL('../../../src/server/db/schema/', import.meta.url);
const subjects = await Promise.all(readdirSync(folder).map((file) => import(/* @vite-ignore */ new URL(file, folder).href)));
const tables = subjects.flatMap((subject): unknown[] => Object.values(subject)).filter((value) => is(value, PgTable));
const erased = ERASED_TABLES.map(({ table }) => getTableName(table));
const parentsOf = (table: PgTable) => getTableConfig(table).foreignKeys.map((key) => getTableName(key.reference().foreignTable));

/** Columns that may identify a person, such as `user_id`, `app_user_id`, `bot_id`, `session_id` and `email`. */
const PERSONAL = /user|email|mail|bot|session|account|archive|chat|message|person|device|phone|ip|network/;

test('every table is either erased with its user or kept for a stated reason', () => {
  const names = tables.map((table) => getTableName(table));
  expect([...erased, ...Object.keys(KEPT_TABLES)].sort()).toEqual(names.sort());
});

test.each(Object.keys(KEPT_TABLES))('the kept table %s has no column that identifies a user', (name) => {
  const table = tables.find((one) => getTableName(one) === name);
  if (!table) throw new Error('no such table');
  const columns = Object.values(getTableColumns(table)).map((column) => column.name);
  expect(columns.filter((column) => PERSONAL.test(column))).toEqual([]);
  expect(parentsOf(table).filter((parent) => erased.includes(parent))).toEqual([]);
});

test('rows are deleted before the rows that they reference', () => {
  for (const [place, { table }] of ERASED_TABLES.entries())
    for (const parent of parentsOf(table))
      expect(erased.indexOf(parent), `${getTableName(table)} refers to ${parent}`).toBeGreaterThan(place);
});
