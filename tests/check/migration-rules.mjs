// Rules for migrations: servers of the previous version work on the new schema during an update. docs/operations.md tells why.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = 'src/server/db/migrations';
/** Earlier migrations are older than the rules. */
const FIRST = 28;
/** An author's reason why a statement is safe all the same, on the line before it. */
const REASON = /^--[ \t]*safe:[ \t]*\S.{9,}$/im;

const NAME = '(?:"?\\w+"?\\.)?"?(\\w+)"?';
const CREATED = new RegExp(`^create (?:unlogged )?table (?:if not exists )?${NAME}`, 'i');
const TARGET = new RegExp(`^(?:alter table (?:if exists )?(?:only )?|create (?:unique )?index .*? on (?:only )?)${NAME}`, 'i');

/** What a statement may not do to a table that an earlier version has. */
const RULES = [
  [/^drop\b|^alter table .*\bdrop (?:column|constraint|default|expression|identity)\b/i, 'drops what the previous version may use'],
  [/^alter .*\brename\b/i, 'renames what the previous version uses'],
  [/^alter table .*\bset not null\b/i, 'demands a value that the previous version may leave out'],
  [/^alter table .*\balter (?:column )?\S+ (?:set data )?type\b/i, 'changes a type that the previous version reads and writes'],
  [
    /^alter table .*\badd (?:column )?(?!constraint\b)[^,]*\bnot null\b(?![^,]*\bdefault\b)(?<!\bdefault\b[^,]*)/i,
    'adds a column without a default',
  ],
  [
    /^create unique index\b|^alter table .*\badd (?:constraint \S+ )?(?:unique|primary key|exclude)\b/i,
    'refuses rows that the previous version may write',
  ],
  [
    /^alter table .*\badd constraint\b(?!.*\bnot valid\b)/i,
    'checks all rows while the table is locked, and refuses those of the previous version',
  ],
  [
    /^create index (?!if not exists\b)/i,
    'locks its table: write CREATE INDEX IF NOT EXISTS, which the server runs concurrently before the migration',
  ],
  [/^(?:update|delete|truncate|with|do)\b/i, 'may change many rows while the previous version waits'],
];

/**
 * Returns the statements of new migrations that the previous version would not survive, one line each.
 * @param {string} base the project's folder
 */
export function brokenMigrationRules(base) {
  return readdirSync(join(base, FOLDER))
    .filter((name) => name.endsWith('.sql') && Number.parseInt(name, 10) >= FIRST)
    .sort()
    .flatMap((name) => brokenIn(readFileSync(join(base, FOLDER, name), 'utf8')).map((fault) => `migration: ${name}: ${fault}`));
}

function brokenIn(migration) {
  const statements = migration.split('--> statement-breakpoint').flatMap(splitStatements);
  const own = new Set(statements.map(({ sql }) => CREATED.exec(sql)?.[1]).filter(Boolean));
  return statements
    .filter(({ sql, isExplained }) => !isExplained && !own.has(TARGET.exec(sql)?.[1]))
    .flatMap(({ sql }) => {
      const [, fault] = RULES.find(([pattern]) => pattern.test(sql)) ?? [];
      return fault ? [`"${sql.slice(0, 60)}" ${fault}`] : [];
    });
}

/** Splits SQL at semicolons outside of texts, and takes comments out. */
function splitStatements(text) {
  const parts = text
    .replace(/--.*$|'(?:[^']|'')*'|(\$\w*\$)[\s\S]*?\1/gm, (found) => (found.startsWith('--') ? found.replaceAll(';', '') : "''"))
    .split(';');
  return parts
    .map((part) => ({
      isExplained: REASON.test(part),
      sql: part
        .replace(/--.*$/gm, '')
        .replace(/\/\*[\s\S]*?\*\//g, '')
        .replace(/\s+/g, ' ')
        .trim(),
    }))
    .filter(({ sql }) => sql !== '');
}
