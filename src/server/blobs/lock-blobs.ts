import { sql } from 'drizzle-orm';
import type { Tx } from '../db/open.ts';

/** Locks blobs against removal and claims by other transactions. */
export async function lockBlobs(tx: Tx, hashes: readonly string[]): Promise<void> {
  // Sorted, so that transactions cannot deadlock.
  for (const hash of [...new Set(hashes)].sort()) {
    const key = BigInt.asIntN(64, BigInt(`0x${hash.slice(0, 16)}`)).toString();
    await tx.execute(sql`select pg_advisory_xact_lock(${key}::bigint)`);
  }
}
