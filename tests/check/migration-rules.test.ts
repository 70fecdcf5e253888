import { describe, expect, test } from 'vitest';
import { at } from '#tools/root.mjs';
import { brokenMigrationRules } from './migration-rules.mjs';
import { createProject } from './project.ts';

const FOLDER = 'src/server/db/migrations';
const brokenIn = (sql: string, name = '0028_next.sql') => brokenMigrationRules(createProject({ [`${FOLDER}/${name}`]: sql }));

describe('a migration is refused that', () => {
  test.each([
    ['drops a table', 'DROP TABLE "bots" CASCADE;'],
    ['drops a column', 'ALTER TABLE "bots" DROP COLUMN "name";'],
    ['drops a column in a list', 'ALTER TABLE "bots" ADD COLUMN "a" text, DROP COLUMN "name";'],
    ['drops a constraint', 'ALTER TABLE "bots" DROP CONSTRAINT "bots_user";'],
    ['drops a default', 'ALTER TABLE "bots" ALTER COLUMN "name" DROP DEFAULT;'],
    ['drops an index', 'DROP INDEX "bots_user";'],
    ['renames a table', 'ALTER TABLE "bots" RENAME TO "traders";'],
    ['renames a column', 'ALTER TABLE "bots" RENAME COLUMN "name" TO "title";'],
    ['renames a type', "ALTER TYPE \"status\" RENAME VALUE 'a' TO 'b';"],
    ['demands a value', 'ALTER TABLE "bots" ALTER COLUMN "name" SET NOT NULL;'],
    ['changes a type', 'ALTER TABLE "bots" ALTER COLUMN "size" SET DATA TYPE bigint;'],
    ['changes a type in short', 'alter table bots alter size type bigint using size::bigint;'],
    ['adds a column without a default', 'ALTER TABLE "bots" ADD COLUMN "limit" integer NOT NULL;'],
    ['adds one after another', 'ALTER TABLE "bots" ADD COLUMN "a" integer DEFAULT 1 NOT NULL, ADD COLUMN "b" integer NOT NULL;'],
    ['adds a unique index', 'CREATE UNIQUE INDEX IF NOT EXISTS "bots_name" ON "bots" ("name");'],
    ['adds a unique constraint', 'ALTER TABLE "bots" ADD CONSTRAINT "bots_name" UNIQUE("name");'],
    ['adds a primary key', 'ALTER TABLE "bots" ADD PRIMARY KEY ("id");'],
    ['adds a foreign key', 'ALTER TABLE "bots" ADD CONSTRAINT "a" FOREIGN KEY ("b") REFERENCES "c"("id") ON DELETE cascade;'],
    ['locks a table for an index', 'CREATE INDEX "bots_name" ON "bots" USING btree ("name");'],
    ['creates an index concurrently, which a transaction cannot', 'CREATE INDEX CONCURRENTLY "bots_name" ON "bots" ("name");'],
    ['changes rows', 'UPDATE "bots" SET "name" = \'\';'],
    ['deletes rows', 'WITH old AS (SELECT 1) DELETE FROM "bots";'],
    ['hides it behind another statement', 'CREATE TABLE "a" ("b" text);DROP TABLE "bots";'],
    ['hides it in a block', 'DO $$ BEGIN DROP TABLE "bots"; END $$;'],
    ['hides it behind a comment', '-- isn\'t; new\nDROP TABLE "bots";'],
    ['hides it on several lines', 'ALTER TABLE "bots"\n\tDROP\n\tCOLUMN "name";'],
    ['gives no reason for it', '-- safe:\nDROP TABLE "bots";'],
  ])('%s', (_what, sql) => {
    expect(brokenIn(sql)).toHaveLength(1);
    expect(brokenIn(sql)[0]).toContain('0028_next.sql');
  });
});

describe('a migration is accepted that', () => {
  test.each([
    [
      'creates a table with its indexes',
      'CREATE TABLE "a" ("b" text NOT NULL);--> statement-breakpoint\nCREATE UNIQUE INDEX "c" ON "a" USING btree ("b");',
    ],
    [
      'constrains a table of its own',
      'CREATE UNLOGGED TABLE "a" ("b" text);--> statement-breakpoint\nALTER TABLE "a" ADD CONSTRAINT "c" FOREIGN KEY ("b") REFERENCES "d"("e");',
    ],
    ['adds a column', 'ALTER TABLE "bots" ADD COLUMN "limit" integer;'],
    ['adds a column with a default', 'ALTER TABLE "bots" ADD COLUMN "limit" integer DEFAULT 30 NOT NULL;'],
    ['adds one with the default last', 'ALTER TABLE "bots" ADD COLUMN "limit" integer NOT NULL DEFAULT 30;'],
    ['allows what was forbidden', 'ALTER TABLE "bots" ALTER COLUMN "name" DROP NOT NULL;'],
    ['adds an index that the server creates ahead', 'CREATE INDEX IF NOT EXISTS "bots_name" ON "bots" USING btree ("name");'],
    ['checks new rows alone', 'ALTER TABLE "bots" ADD CONSTRAINT "a" CHECK (size > 0) NOT VALID;'],
    ['gives its reason', '-- safe: no version since 0.2.0 reads this table\nDROP TABLE "bots";'],
    ['has such words in a text', 'COMMENT ON TABLE "bots" IS \'x; drop table bots; rename\';'],
  ])('%s', (_what, sql) => {
    expect(brokenIn(sql)).toEqual([]);
  });
});

test('migrations from before the rule stay as they are', () => {
  expect(brokenIn('DROP TABLE "bots";', '0027_before.sql')).toEqual([]);
});

test('our migrations keep the rule', () => {
  expect(brokenMigrationRules(at('.'))).toEqual([]);
});
