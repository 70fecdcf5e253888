import { openDb } from '#server/db/open.ts';
import { startPostgres } from '#tests/support/processes/postgres.ts';
import { sharedEnv } from '#tests/support/server/on-postgres.ts';
import { startServer } from '#tests/support/server/server.ts';
import { exerciseServer } from '#tests/support/statements/exercise-server.ts';
import { type Explained, explainAll } from '#tests/support/statements/explain.ts';
import { fillAtScale, LARGE } from '#tests/support/statements/fill-at-scale.ts';
import { markdownTable } from '../table.ts';

/** Rows that a statement may read without an index. */
const MOST = 100_000;
/** Pages of 8 kB that a read or an update may touch. The cleanup's deletions touch more, a batch at a time. */
const MOST_BUFFERS = 3_000;
/** The longest start with a million expired rows of each kind, ms. */
const READY = 5_000;
const SHOWN = 110;

export interface Plans {
  /** Markdown. */
  lines: string[];
  failures: string[];
}

const short = (text: string): string => text.replaceAll('"', '').replaceAll(/\s+/g, ' ').trim().slice(0, SHOWN);

function rowOf({ text, nodes, ms, buffers }: Explained): string[] {
  const plan = nodes
    .map((node) => node.replace(/^(Index Only|Index|Bitmap Index) Scan on /, '').replace('ModifyTable on', 'writes'))
    .filter((node) => !node.startsWith('Bitmap Heap'));
  return [`\`${short(text)}\``, plan.join(', '), buffers === undefined ? '' : String(buffers), ms === undefined ? '' : ms.toFixed(2)];
}

/** Tells how long half and 95% of the statements take. */
function quantiles(explained: readonly Explained[]): string {
  const times = explained.flatMap(({ ms }) => ms ?? []).sort((one, other) => one - other);
  const [half = 0, most = 0] = [0.5, 0.95].map((share) => times[Math.floor(share * times.length)]);
  return `Half take ${half.toFixed(2)} ms at most, 95% ${most.toFixed(2)} ms.`;
}

/** Starts a server whose cleanup is due, and returns how long the start takes, ms. */
async function measureStart(databaseUrl: string): Promise<number> {
  const began = performance.now();
  const server = await startServer({ env: sharedEnv(databaseUrl) });
  const answer = await fetch(`${server.url}/readyz`);
  const took = performance.now() - began;
  await server.close();
  return answer.ok ? took : Number.POSITIVE_INFINITY;
}

/** Explains every kind of statement that the server sends, on a filled database, slowest first. */
export async function explainOn(url: string, owner: string): Promise<Plans> {
  const ready = await measureStart(url);
  const statements = await exerciseServer(url, owner);
  const explained = await explainAll(url, statements, { most: MOST, preferIndexes: false });
  const scans = explained.filter(({ scans }) => scans.length > 0);
  const wide = explained.filter(({ text, buffers = 0 }) => /^\s*(select|update)\b/i.test(text) && buffers > MOST_BUFFERS);
  const compiled = explained.filter(({ isCompiled }) => isCompiled);
  const own = explained.filter(({ isKept }) => !isKept);
  const slowest = [...own].sort((one, other) => (other.ms ?? 0) - (one.ms ?? 0));
  return {
    lines: [
      `${own.length} kinds of statements, for ${explained.length - own.length} of them a plan that PostgreSQL keeps. ${scans.length} scans of more than ${MOST} rows, ${wide.length} reads or updates of more than ${MOST_BUFFERS} buffers,`,
      `${compiled.length} compiled. ${quantiles(explained)} Ready after ${Math.round(ready)} ms.`,
      '',
      ...markdownTable([['Statement', 'Reads', 'Buffers', 'ms'], ...slowest.map(rowOf)]),
    ],
    failures: [
      ...scans.map(({ text, scans }) => `${scans.join(', ')}: ${text}`),
      ...wide.map(({ text, buffers }) => `${buffers} buffers: ${text}`),
      ...compiled.map(({ text }) => `compiled: ${text}`),
      ...(ready > READY ? [`ready after ${Math.round(ready)} ms with a million expired rows`] : []),
    ],
  };
}

/** Fills a PostgreSQL of its own with 5 million messages, and explains what the server sends. */
export async function plansBench(say: (line: string) => void): Promise<Plans> {
  const postgres = await startPostgres();
  if (!postgres) return { lines: ['PostgreSQL is not installed here.'], failures: [] };
  try {
    const { db, queue, close } = await openDb({ databaseUrl: postgres.url, dataDir: '', databaseTimeout: 3600 });
    await db.execute(`alter system set max_wal_size = '16GB'`);
    await db.execute('select pg_reload_conf()');
    const owner = await fillAtScale({ db, queue }, LARGE, say);
    await close();
    return await explainOn(postgres.url, owner);
  } finally {
    await postgres.stop();
  }
}
