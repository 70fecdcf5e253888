import { createRequire } from 'node:module';
import pg from 'pg';
import { sessionSettings } from '#server/db/postgres/open-postgres.ts';
import type { Statement } from './record-statements.ts';

interface Plan {
  'Node Type': string;
  'Total Cost': number;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  'Shared Hit Blocks'?: number;
  'Shared Read Blocks'?: number;
  Plans?: Plan[];
}

export interface Explained extends Statement {
  /** Whether this plan serves all values, and a connection keeps it; otherwise it is for the statement's values. */
  isKept: boolean;
  /** Nodes that read a table or index, as `Index Scan on chats_pkey`. */
  nodes: string[];
  /** Nodes that read all of a table or index with more rows than `most`, or drop more rows than that. */
  scans: string[];
  /** The most rows that a node reads. */
  mostRead: number;
  /** Undefined where the statement could not run a second time. */
  ms?: number;
  buffers?: number;
  /** Whether PostgreSQL compiled it before it ran. */
  isCompiled: boolean;
}

interface Options {
  /** Rows that a scan without an index may read. */
  most: number;
  /** Shows each scan for which no index exists, also where a scan of few rows is cheaper. */
  preferIndexes: boolean;
}

/** Time limit of a statement, s. */
const TIMEOUT = 600;

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
/** A limit bounds what a scan below it reads, unless a filter removes rows. */
const unlimited = (plan: Plan): Plan[] => {
  const below = (plan.Plans ?? []).flatMap(unlimited);
  return [plan, ...(plan['Node Type'] === 'Limit' ? below.filter((node) => (node['Rows Removed by Filter'] ?? 0) > 0) : below)];
};
const nameOf = (node: Plan): string => `${node['Node Type']} on ${node['Index Name'] ?? node['Relation Name']}`;
const isWhole = (node: Plan): boolean =>
  node['Node Type'] === 'Seq Scan' || (/^Index (Only )?Scan$/.test(node['Node Type']) && node['Index Cond'] === undefined);

/** Tables and indexes by name. */
type Relations = ReadonlyMap<string, { rows: number; firstColumn: string | null }>;

async function readRelations(client: pg.Client): Promise<Relations> {
  const { rows } = await client.query(`select relname, reltuples::float8 as rows,
    case relkind when 'i' then pg_get_indexdef(oid, 1, true) end as "firstColumn" from pg_class where relkind in ('i', 'r')`);
  return new Map(rows.map(({ relname, ...relation }) => [relname, relation]));
}

/** Whether the condition of an index scan is on later columns only, so that it reads the whole index, however few rows match. */
function missesFirstColumn({ 'Index Cond': condition, ...node }: Plan, relations: Relations): boolean {
  const firstColumn = relations.get(node['Index Name'] ?? '')?.firstColumn;
  if (!firstColumn || condition === undefined) return false;
  // EXPLAIN writes columns of other tables behind the name of their table.
  return !new RegExp(`(?<![.\\w])${firstColumn}\\b(?! IS NOT NULL)`).test(condition);
}

const removedOf = (node: Plan): number => (node['Rows Removed by Filter'] ?? 0) * (node['Actual Loops'] ?? 1);
const rowsOf = (node: Plan): number => (node['Actual Rows'] ?? 0) * (node['Actual Loops'] ?? 1) + removedOf(node);

interface Answer {
  Plan: Plan;
  'Execution Time'?: number;
  JIT?: object;
}

/** What PostgreSQL adds to the cost of a plan that it makes for each call, for each table and once more. */
const COST_OF_PLANNING = 2.5;

/** Whether PostgreSQL keeps a plan that serves all values, because it expects it to cost no more than one for the values of a call. */
const isKept = (general: Plan, own: Plan): boolean =>
  general['Total Cost'] <= own['Total Cost'] + COST_OF_PLANNING * (nodesOf(own).length + 1);

/** How pg sends a value. */
const { prepareValue } = createRequire(import.meta.url)('pg/lib/utils.js') as { prepareValue(value: unknown): unknown };

/** Returns a value as PostgreSQL reads it, whatever the type of its parameter. */
function literalOf(value: unknown): string {
  const prepared: unknown = prepareValue(value);
  if (prepared === null || prepared === undefined) return 'null';
  return pg.escapeLiteral(Buffer.isBuffer(prepared) ? `\\x${prepared.toString('hex')}` : String(prepared));
}

/** Explains a statement in a transaction that is rolled back, with a plan for its values, or with one for all values. */
async function explain(client: pg.Client, { text, values }: Statement, options: string, preferIndexes: boolean, isGeneral: boolean) {
  await client.query('begin');
  try {
    if (preferIndexes) await client.query('set local enable_seqscan = off');
    if (!isGeneral) return answerOf(await client.query(`explain (${options}, format json) ${text}`, values));
    await client.query('set local plan_cache_mode = force_generic_plan');
    await client.query(`prepare kept as ${text}`);
    return answerOf(await client.query(`explain (${options}, format json) execute kept(${values.map(literalOf).join(', ')})`));
  } finally {
    await client.query('rollback; deallocate all');
  }
}

const answerOf = ({ rows }: pg.QueryResult): Answer => rows[0]['QUERY PLAN'][0];

/** Finds what a plan reads. */
function readAnswer({ Plan: plan, 'Execution Time': ms, JIT }: Answer, relations: Relations, most: number) {
  const sizeOf = (node: Plan) => relations.get(node['Index Name'] ?? node['Relation Name'] ?? '')?.rows ?? 0;
  // With these values a scan may not run; with others it does.
  const readOf = (node: Plan) => (node['Actual Loops'] ? rowsOf(node) : sizeOf(node));
  const nodes = nodesOf(plan).filter((node) => node['Relation Name'] ?? node['Index Name']);
  const whole = unlimited(plan).filter((node) => isWhole(node) && readOf(node) > most);
  const wasteful = nodes.filter((node) => (missesFirstColumn(node, relations) && sizeOf(node) > most) || removedOf(node) > most);
  return {
    nodes: [...new Set(nodes.map(nameOf))],
    scans: [...new Set([...whole, ...wasteful].map(nameOf))],
    isCompiled: JIT !== undefined,
    mostRead: Math.max(0, ...nodes.map(rowsOf)),
    ...(ms !== undefined && { ms, buffers: (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0) }),
  };
}

/**
 * Runs the statements once more, each in a transaction that is rolled back, and returns their plans: for each the one for its
 * values, and also the one that PostgreSQL keeps, if it keeps one.
 */
export async function explainAll(url: string, statements: readonly Statement[], { most, preferIndexes }: Options): Promise<Explained[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(sessionSettings(TIMEOUT, TIMEOUT * 1000));
  const explained: Explained[] = [];
  // The bitmap of an index counts dead rows: of earlier changes, and of those that are rolled back here, so that reads come first.
  if (preferIndexes) await client.query('vacuum (index_cleanup on)');
  const relations = await readRelations(client);
  const read = (answer: Answer) => readAnswer(answer, relations, most);
  const isRead = ({ text }: Statement) => /^\s*select\b/i.test(text);
  for (const statement of [...statements.filter(isRead), ...statements.filter((each) => !isRead(each))]) {
    // An insert finds its own row, so it can only be planned.
    const run = (isGeneral: boolean) =>
      explain(client, statement, 'analyze, buffers', preferIndexes, isGeneral).catch(() =>
        explain(client, statement, 'costs', preferIndexes, isGeneral),
      );
    const own = await run(false);
    explained.push({ ...statement, ...read(own), isKept: false });
    if (statement.values.length === 0) continue;
    const general = await run(true);
    if (isKept(general.Plan, own.Plan)) explained.push({ ...statement, ...read(general), isKept: true });
  }
  await client.end();
  return explained;
}
