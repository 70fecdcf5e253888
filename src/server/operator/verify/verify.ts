import { and, asc, gt, isNotNull, max, sql } from 'drizzle-orm';
import type { Db } from '#server/db/open.ts';
import { userBlobs } from '#server/db/schema/blobs.ts';
import { type BlobStore, refOf } from '#server/ports/blobs/blob-store.ts';
import type { Rows } from '../commands.ts';
import { CHECKS, REFERENCES } from './checks.ts';

/** Faults of one check that are named; the rest is counted. */
const NAMED = 20;
const PAGE = 500;

/** One check and what it found. */
interface Found {
  check: string;
  faults: number;
  /** The first faulty rows or blobs. */
  examples?: string[];
}

/** Checks references, bookkeeping and pictures, with or without a running server. Changes nothing. */
export async function verify(db: Db, store: BlobStore): Promise<Rows> {
  const found: Found[] = [];
  for (const { child, parent, query } of await select<{ child: string; parent: string; query: string }>(db, REFERENCES))
    found.push(await check(db, `${child} without their ${parent}`, query));
  for (const [name, query] of Object.entries(CHECKS)) found.push(await check(db, name, query));
  found.push(await checkBlobs(db, store));
  return found.map((one) => ({ ...one }));
}

const select = async <Row>(db: Db, query: string): Promise<Row[]> =>
  ((await db.execute(sql.raw(query))) as unknown as { rows: Row[] }).rows;

async function check(db: Db, name: string, query: string): Promise<Found> {
  const [row] = await select<{ faults: number; examples: string[] | null }>(
    db,
    `with faulty(id) as (${query}) select count(*)::int as faults, array(select id::text from faulty limit ${NAMED}) as examples from faulty`,
  );
  return report(name, row?.faults ?? 0, row?.examples ?? []);
}

const report = (name: string, faults: number, examples: string[]): Found => ({ check: name, faults, ...(faults > 0 && { examples }) });

/** Reads every blob that a row names, and compares it with its size and SHA-256. */
async function checkBlobs(db: Db, store: BlobStore): Promise<Found> {
  const faulty: string[] = [];
  let faults = 0;
  // Throws for a missing bucket, in which each picture could look missing.
  for await (const _ of store.list()) break;
  for (let last = ''; ; ) {
    const page = await db
      .select({ hash: sql<string>`${userBlobs.hash}`, size: max(userBlobs.size), least: sql<number>`min(${userBlobs.size})` })
      .from(userBlobs)
      .where(and(isNotNull(userBlobs.hash), gt(userBlobs.hash, last)))
      .groupBy(userBlobs.hash)
      .orderBy(asc(userBlobs.hash))
      .limit(PAGE);
    for (const { hash, size, least } of page) {
      const fault = size === least ? await faultOf(store, { hash, size: Number(size) }) : 'rows name two sizes';
      if (fault === undefined || (await isGone(db, hash))) continue;
      faults++;
      if (faulty.length < NAMED) faulty.push(`${hash}: ${fault}`);
    }
    last = page.at(-1)?.hash ?? '';
    if (page.length < PAGE) return report('pictures that are missing or altered', faults, faulty);
  }
}

async function faultOf(store: BlobStore, blob: { hash: string; size: number }): Promise<string | undefined> {
  const stream = await store.read(blob);
  if (!stream) return 'missing, or of another size';
  return (await refOf(stream)).hash === blob.hash ? undefined : 'altered';
}

/** Returns whether no row names a blob any more: its user may delete it during the check. */
async function isGone(db: Db, hash: string): Promise<boolean> {
  return (await db.$count(userBlobs, sql`${userBlobs.hash} = ${hash}`)) === 0;
}
