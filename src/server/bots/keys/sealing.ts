import { eq, sql } from 'drizzle-orm';
import type { Tx } from '#server/db/open.ts';
import { operatorSwitches } from '#server/db/schema/operations.ts';
import type { BotRow } from '../store/bots.ts';
import type { KeySafe, KeyVersion } from './key-safe.ts';

/** The operator's switch that names, by fingerprint, the SECRETS_KEY that new keys are sealed under. */
const SEALING_KEY = 'sealing-key';
/** Taken shared by each transaction that seals, and alone to switch: any number that no other lock uses. */
const SEALING_LOCK = 7302;

/**
 * The key to seal under in this transaction. While a process holds two, that is the previous one until the operator
 * begins the rotation: by then every process can open both.
 */
export async function sealingVersion(tx: Tx, safe: KeySafe): Promise<KeyVersion> {
  const [current, previous] = safe.versions();
  if (!previous) return current;
  await tx.execute(sql`select pg_advisory_xact_lock_shared(${SEALING_LOCK})`);
  const [row] = await tx.select().from(operatorSwitches).where(eq(operatorSwitches.name, SEALING_KEY));
  return row?.reason === current.fingerprint ? current : previous;
}

/** Makes every process seal under this key. Waits for transactions that seal under another one. */
export async function switchSealing(tx: Tx, { fingerprint }: KeyVersion, at: Date): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${SEALING_LOCK})`);
  await tx
    .insert(operatorSwitches)
    .values({ name: SEALING_KEY, reason: fingerprint, createdAt: at })
    .onConflictDoUpdate({ target: operatorSwitches.name, set: { reason: fingerprint, createdAt: at } });
}

/** The text that names what must not trade for two bots: the exchange account, or the key of a paper account. */
export const accountName = (
  { exchange, testnet }: Pick<BotRow, 'exchange' | 'testnet'>,
  { key, accountId }: { key: string; accountId: string },
) => (exchange === 'paper' ? key : `${exchange} ${testnet} ${accountId}`);
