import { eq, sql } from 'drizzle-orm';
import { EXCHANGES } from '#contract/bots/exchange-names.ts';
import type { Tx } from '#server/db/open.ts';
import { operatorSwitches, secretFingerprints } from '#server/db/schema/operations.ts';
import type { BotRow } from '../store/bots.ts';
import type { KeySafe, KeyVersion } from './key-safe.ts';

/** The operator's switch that names, by fingerprint, the SECRETS_KEY that seals new keys. */
const SEALING_KEY = 'sealing-key';
/** Id of the advisory lock: shared by transactions that seal, exclusive for the switch. No other lock uses this number. */
const SEALING_LOCK = 7302;

/**
 * Returns the key that seals in this transaction. While a process holds two keys, the previous one seals until the operator starts
 * the rotation, because only then can every process open both.
 */
export async function sealingVersion(tx: Tx, safe: KeySafe): Promise<KeyVersion> {
  const [current, previous] = safe.versions();
  if (!previous) return current;
  await tx.execute(sql`select pg_advisory_xact_lock_shared(${SEALING_LOCK})`);
  const [row] = await tx.select().from(operatorSwitches).where(eq(operatorSwitches.name, SEALING_KEY));
  return row?.reason === current.fingerprint ? current : previous;
}

/**
 * Makes every process seal with this key, and a later start need it. Waits for transactions that seal with another key. The embedded
 * database has no fingerprint to change.
 */
export async function switchSealing(tx: Tx, { fingerprint }: KeyVersion, at: Date): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${SEALING_LOCK})`);
  await tx
    .insert(operatorSwitches)
    .values({ name: SEALING_KEY, reason: fingerprint, createdAt: at })
    .onConflictDoUpdate({ target: operatorSwitches.name, set: { reason: fingerprint, createdAt: at } });
  await tx.update(secretFingerprints).set({ fingerprint, createdAt: at }).where(eq(secretFingerprints.setting, 'SECRETS_KEY'));
}

/** Names what only one bot may trade on: the exchange account, or the key of a simulated account. */
export const accountName = (
  { exchange, testnet }: Pick<BotRow, 'exchange' | 'testnet'>,
  { key, accountId }: { key: string; accountId: string },
) => (EXCHANGES[exchange].isSimulated ? key : `${exchange} ${testnet} ${accountId}`);
