/** Runs one statement and returns its rows. All values are text; the statement casts them. */
export type Query = <Row>(text: string, values?: readonly (string | null)[]) => Promise<Row[]>;

/** A table as the database itself describes it. */
export interface Table {
  name: string;
  columns: string[];
  /** Columns of the primary key, with their types. */
  key: { name: string; type: string }[];
  /** Rows per batch. */
  batch: number;
}

/** Rows as JSON objects, one a line, in the order of the primary key. */
export interface Batch {
  lines: string[];
  /** Primary key of the last row, as text: where the next batch begins. */
  last: string[];
}

export interface Checksum {
  rows: number;
  /** Sum of the rows' digests: the order of the rows does not matter. */
  checksum: string;
}

/** Rows per batch, which bounds the memory and the entries of a backup. */
const ROWS = 500;
/** Of tables with JSON: the copy of a chat has up to 2 MB. */
const JSON_ROWS = 50;
/** Of tables with bytes: old rows may hold pictures. */
const BYTEA_ROWS = 4;

/** The settings that the text form of a row depends on. */
export const TEXT_FORMS = "set timezone = 'UTC'; set datestyle = 'ISO'; set bytea_output = 'hex'; set extra_float_digits = 1";

const DESCRIBE = `
  select class.relname as name,
    (select json_agg(attname order by attnum) from pg_attribute where attrelid = class.oid and attnum > 0 and not attisdropped) as columns,
    (select json_agg(json_build_object('name', attname, 'type', format_type(atttypid, null)) order by place)
      from pg_index cross join unnest(indkey::int2[]) with ordinality as part(number, place)
      join pg_attribute on attrelid = indrelid and attnum = number where indrelid = class.oid and indisprimary) as key,
    (select min(case atttypid when 'bytea'::regtype then ${BYTEA_ROWS} when 'jsonb'::regtype then ${JSON_ROWS} else ${ROWS} end)
      from pg_attribute where attrelid = class.oid) as batch,
    exists (select 1 from pg_attribute where attrelid = class.oid and (attidentity <> '' or attgenerated <> '')) or exists (
      select 1 from pg_depend join pg_class as owned on owned.oid = objid where refobjid = class.oid and owned.relkind = 'S') as counted,
    (select coalesce(json_agg(distinct parent.relname), '[]') from pg_constraint join pg_class as parent on parent.oid = confrelid
      where conrelid = class.oid and contype = 'f' and confrelid <> conrelid) as parents
  from pg_class as class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by relname`;

type Described = Omit<Table, 'key'> & { key: Table['key'] | null; counted: boolean; parents: string[] };

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const list = (names: readonly string[]): string => names.map(quote).join(', ');

/**
 * Returns every table of the application, referenced tables before those that refer to them. The list comes from the database,
 * so a new table is never forgotten. Throws for what rows alone do not carry: counters, generated columns, tables without a key.
 */
export async function describeTables(query: Query): Promise<Table[]> {
  let left = await query<Described>(DESCRIBE);
  const tables: Table[] = [];
  for (const { name, key, counted } of left) if (!key || counted) throw new Error(`The table ${name} cannot be copied row by row.`);
  while (left.length > 0) {
    const free = left.filter(({ parents }) => !left.some(({ name }) => parents.includes(name)));
    if (free.length === 0) throw new Error(`Tables refer to each other in a circle: ${left.map(({ name }) => name).join(', ')}.`);
    for (const { name, columns, key, batch } of free) tables.push({ name, columns, key: key ?? [], batch });
    left = left.filter((table) => !free.includes(table));
  }
  return tables;
}

/** Reads a table in batches. `after`: the primary key of the last row that the caller has. */
export async function* readRows(query: Query, { name, columns, key, batch }: Table, after?: readonly string[]): AsyncGenerator<Batch> {
  const names = list(key.map((column) => column.name));
  const values = key.map(({ type }, index) => `$${index + 1}::text::${type}`).join(', ');
  for (let last = after; ; ) {
    const from = last ? `where (${names}) > (${values})` : '';
    const page = `select ${list(columns)} from ${quote(name)} ${from} order by ${names} limit ${batch}`;
    const keys = `json_build_array(${key.map((column) => `${quote(column.name)}::text`).join(', ')})`;
    const rows = await query<{ line: string; key: string[] }>(
      `select row_to_json(page)::text as line, ${keys} as key from (${page}) page`,
      last,
    );
    const end = rows.at(-1);
    if (end) yield { lines: rows.map(({ line }) => line), last: end.key };
    if (!end || rows.length < batch) return;
    last = end.key;
  }
}

/** Inserts rows that `readRows` has read. */
export async function insertRows(
  query: Query,
  { name, columns }: Pick<Table, 'name' | 'columns'>,
  lines: readonly string[],
): Promise<void> {
  const into = `insert into ${quote(name)} (${list(columns)})`;
  await query(`${into} select ${list(columns)} from json_populate_recordset(null::${quote(name)}, $1::text::json)`, [
    `[${lines.join(',')}]`,
  ]);
}

/** Counts and sums the rows of a table. Equal rows give the same sum in every database, after `TEXT_FORMS`. */
export async function checksumOf(query: Query, { name, columns }: Table): Promise<Checksum> {
  const digest = `('x' || left(md5(row_to_json(each)::text), 15))::bit(60)::bigint`;
  const [found] = await query<{ rows: string; checksum: string }>(
    `select count(*)::text as rows, coalesce(sum(${digest}), 0)::text as checksum from (select ${list(columns)} from ${quote(name)}) each`,
  );
  return { rows: Number(found?.rows), checksum: found?.checksum ?? '' };
}

/** Returns the hashes of the migrations that a database has, oldest first. */
export async function appliedMigrations(query: Query): Promise<string[]> {
  const rows = await query<{ hash: string }>('select hash from drizzle.__drizzle_migrations order by created_at');
  return rows.map(({ hash }) => hash);
}

/** Deletes the rows that migrations put into a new database. */
export async function emptyTables(query: Query, tables: readonly Table[]): Promise<void> {
  await query(`truncate ${list(tables.map(({ name }) => name))}`);
}
