import pg from 'pg';
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
  /** Nodes that read all of a table with more rows than `most`. */
  scans: string[];
  /** The most rows that a node reads. */
  mostRead: number;
  /** Undefined where the statement could not run a second time. */
  ms?: number;
  buffers?: number;
}

interface Options {
  /** Rows that a scan without an index may read. */
  most: number;
  /** Shows each scan for which no index exists, also where a scan of few rows is cheaper. */
  preferIndexes: boolean;
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
/** A limit bounds what a scan below it reads, unless a filter removes rows. */
const unlimited = (plan: Plan): Plan[] => {
  const below = (plan.Plans ?? []).flatMap(unlimited);
  return [plan, ...(plan['Node Type'] === 'Limit' ? below.filter((node) => (node['Rows Removed by Filter'] ?? 0) > 0) : below)];
};
const nameOf = (node: Plan): string => `${node['Node Type']} on ${node['Index Name'] ?? node['Relation Name']}`;
const isWhole = (node: Plan): boolean =>
  node['Node Type'] === 'Seq Scan' || (/^Index (Only )?Scan$/.test(node['Node Type']) && node['Index Cond'] === undefined);
const rowsOf = (node: Plan): number => ((node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0)) * (node['Actual Loops'] ?? 1);

/** Runs the statements once more, each in a transaction that is rolled back, and returns their plans. */
export async function explainAll(url: string, statements: readonly Statement[], { most, preferIndexes }: Options): Promise<Explained[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const explained: Explained[] = [];
  // The bitmap of an index counts dead rows: of earlier changes, and of those that are rolled back here, so that reads come first.
  if (preferIndexes) await client.query('vacuum (index_cleanup on)');
  const isRead = ({ text }: Statement) => /^\s*select\b/i.test(text);
  for (const statement of [...statements.filter(isRead), ...statements.filter((each) => !isRead(each))]) {
    const explain = async (options: string) => {
      await client.query('begin');
      try {
        if (preferIndexes) await client.query('set local enable_seqscan = off');
        const { rows } = await client.query(`explain (${options}, format json) ${statement.text}`, statement.values);
        return rows[0]['QUERY PLAN'][0] as { Plan: Plan; 'Execution Time'?: number };
      } finally {
        await client.query('rollback');
      }
    };
    // An insert finds its own row, so it can only be planned.
    const { Plan: plan, 'Execution Time': ms } = await explain('analyze, buffers').catch(() => explain('costs'));
    const nodes = nodesOf(plan).filter((node) => node['Relation Name'] ?? node['Index Name']);
    explained.push({
      ...statement,
      nodes: [...new Set(nodes.map(nameOf))],
      scans: unlimited(plan)
        .filter((node) => isWhole(node) && rowsOf(node) > most)
        .map(nameOf),
      mostRead: Math.max(0, ...nodes.map(rowsOf)),
      ...(ms !== undefined && { ms, buffers: (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0) }),
    });
  }
  await client.end();
  return explained;
}
