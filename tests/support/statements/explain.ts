import pg from 'pg';
import { sessionSettings } from '#server/db/postgres.ts';
import type { Statement } from './record-statements.ts';

interface Plan {
  'Node Type': string;
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

/** Runs the statements once more, each in a transaction that is rolled back, and returns their plans. */
export async function explainAll(url: string, statements: readonly Statement[], { most, preferIndexes }: Options): Promise<Explained[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(sessionSettings(TIMEOUT, TIMEOUT * 1000));
  const explained: Explained[] = [];
  // The bitmap of an index counts dead rows: of earlier changes, and of those that are rolled back here, so that reads come first.
  if (preferIndexes) await client.query('vacuum (index_cleanup on)');
  const relations = await readRelations(client);
  const sizeOf = (node: Plan) => relations.get(node['Index Name'] ?? node['Relation Name'] ?? '')?.rows ?? 0;
  // With these values a scan may not run; with others it does.
  const readOf = (node: Plan) => (node['Actual Loops'] ? rowsOf(node) : sizeOf(node));
  const isRead = ({ text }: Statement) => /^\s*select\b/i.test(text);
  for (const statement of [...statements.filter(isRead), ...statements.filter((each) => !isRead(each))]) {
    const explain = async (options: string) => {
      await client.query('begin');
      try {
        if (preferIndexes) await client.query('set local enable_seqscan = off');
        const { rows } = await client.query(`explain (${options}, format json) ${statement.text}`, statement.values);
        return rows[0]['QUERY PLAN'][0] as { Plan: Plan; 'Execution Time'?: number; JIT?: object };
      } finally {
        await client.query('rollback');
      }
    };
    // An insert finds its own row, so it can only be planned.
    const { Plan: plan, 'Execution Time': ms, JIT } = await explain('analyze, buffers').catch(() => explain('costs'));
    const nodes = nodesOf(plan).filter((node) => node['Relation Name'] ?? node['Index Name']);
    const whole = unlimited(plan).filter((node) => isWhole(node) && readOf(node) > most);
    const wasteful = nodes.filter((node) => (missesFirstColumn(node, relations) && sizeOf(node) > most) || removedOf(node) > most);
    explained.push({
      ...statement,
      nodes: [...new Set(nodes.map(nameOf))],
      scans: [...new Set([...whole, ...wasteful].map(nameOf))],
      isCompiled: JIT !== undefined,
      mostRead: Math.max(0, ...nodes.map(rowsOf)),
      ...(ms !== undefined && { ms, buffers: (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0) }),
    });
  }
  await client.end();
  return explained;
}
