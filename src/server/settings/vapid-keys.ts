import { eq } from 'drizzle-orm';
import { runOnce } from '#domain/run-once.ts';
import { createKeySafe, type KeySafe, UnknownKeyVersion } from '#server/bots/keys/key-safe.ts';
import { sealingVersion } from '#server/bots/keys/sealing.ts';
import { UnreadableKey } from '#server/bots/messages/refusals.ts';
import type { Config } from '#server/config.ts';
import type { Db, Tx } from '#server/db/open.ts';
import { pushKeys } from '#server/db/schema/operations.ts';
import { makeVapidKeys, type VapidKeys } from '#server/ports/push/vapid.ts';

/** Name of the only row, and of what it is sealed for. */
const NAME = 'vapid';
const theRow = eq(pushKeys.name, NAME);

type Settings = Pick<Config, 'secretsKey' | 'previousSecretsKey' | 'push'>;

/**
 * Returns a function for the installation's VAPID keys: those of the settings, or a pair that the first process makes and all others
 * read. A pair that no held SECRETS_KEY opens is replaced; devices then subscribe again at their next start.
 */
export function openVapidKeys(db: Db, { push, secretsKey, previousSecretsKey }: Settings): () => Promise<VapidKeys> {
  const { keys } = push;
  return keys ? async () => keys : runOnce(() => claim(db, createKeySafe(secretsKey, previousSecretsKey)));
}

const claim = (db: Db, safe: KeySafe): Promise<VapidKeys> =>
  db.transaction(async (tx) => {
    const made = makeVapidKeys();
    const sealed = await seal(tx, safe, made);
    // Of processes that start at once, one stores its pair, and the others wait for it here.
    await tx.insert(pushKeys).values({ name: NAME, sealed }).onConflictDoNothing();
    const stored = await readPair(tx, safe);
    if (!stored) await tx.update(pushKeys).set({ sealed }).where(theRow);
    return stored ?? made;
  });

/** Seals the pair with the current SECRETS_KEY, so that the previous one can go. */
export async function resealVapidKeys(db: Db, safe: KeySafe): Promise<void> {
  await db.transaction(async (tx) => {
    const pair = await readPair(tx, safe);
    if (pair)
      await tx
        .update(pushKeys)
        .set({ sealed: await seal(tx, safe, pair) })
        .where(theRow);
  });
}

const seal = async (tx: Tx, safe: KeySafe, { publicKey, privateKey }: VapidKeys): Promise<Buffer> =>
  (await sealingVersion(tx, safe)).seal(NAME, { key: publicKey, secret: privateKey });

async function readPair(tx: Tx, safe: KeySafe): Promise<VapidKeys | undefined> {
  const [row] = await tx.select().from(pushKeys).where(theRow).for('update');
  if (!row) return undefined;
  try {
    const { key, secret } = safe.open(NAME, row.sealed);
    return { publicKey: key, privateKey: secret };
  } catch (error) {
    if (error instanceof UnreadableKey || error instanceof UnknownKeyVersion) return undefined;
    throw error;
  }
}
