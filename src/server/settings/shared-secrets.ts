import { createHmac } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { createKeySafe } from '#server/bots/keys/key-safe.ts';
import { sealingVersion } from '#server/bots/keys/sealing.ts';
import type { Config } from '#server/config.ts';
import type { Db } from '#server/db/open.ts';
import { secretFingerprints } from '#server/db/schema/operations.ts';
import { SHARED_SECRETS, type SharedSecret } from '#server/secrets.ts';
import { StartupError } from '#server/startup-error.ts';

type Secrets = Pick<Config, 'databaseUrl' | 'dataDir' | 'jwtSecret' | 'secretsKey' | 'previousSecretsKey' | 'madeSecrets'>;

/**
 * Stores fingerprints of the secrets at the first start on a PostgreSQL database. Of processes that start at once, one stores them.
 * @throws StartupError if the database has other fingerprints
 */
export async function claimSecrets(db: Db, config: Secrets): Promise<void> {
  if (!config.databaseUrl) return;
  await db.transaction(async (tx) => {
    const { fingerprint } = await sealingVersion(tx, createKeySafe(config.secretsKey, config.previousSecretsKey));
    await tx
      .insert(secretFingerprints)
      .values([
        { setting: 'JWT_SECRET', fingerprint: jwtFingerprint(config) },
        { setting: 'SECRETS_KEY', fingerprint },
      ])
      .onConflictDoNothing();
    for (const setting of SHARED_SECRETS) await demandSecret(tx, config, setting);
  });
}

/**
 * Compares a secret with the fingerprint in the database, if it has one. During a rotation, either SECRETS_KEY will do.
 * @throws StartupError if they differ
 */
export async function demandSecret(db: Db, config: Secrets, setting: SharedSecret): Promise<void> {
  if (!config.databaseUrl) return;
  const [stored] = await db.select().from(secretFingerprints).where(eq(secretFingerprints.setting, setting));
  if (!stored || fingerprintsOf(config, setting).includes(stored.fingerprint)) return;
  const which = config.madeSecrets.includes(setting) ? `is not set, and the one made in ${config.dataDir} differs` : 'differs';
  throw new StartupError(`${setting}: ${which} from the one that this database was set up with. ${ADVICE[setting]}`);
}

/** Lets the next start store the fingerprint of another secret. Returns whether the database had a fingerprint. */
export async function forgetSecret(db: Db, setting: SharedSecret): Promise<boolean> {
  const forgotten = await db.delete(secretFingerprints).where(eq(secretFingerprints.setting, setting)).returning();
  return forgotten.length > 0;
}

const ADVICE: Record<SharedSecret, string> = {
  JWT_SECRET: 'Set it to the value of the other processes. To change it, run the command forget-secret first (docs/operations.md).',
  SECRETS_KEY: 'Set it to the value of the other processes. To rotate it, set SECRETS_KEY_PREVIOUS to that value (docs/operations.md).',
};

function fingerprintsOf(config: Secrets, setting: SharedSecret): string[] {
  if (setting === 'JWT_SECRET') return [jwtFingerprint(config)];
  const versions = createKeySafe(config.secretsKey, config.previousSecretsKey).versions();
  return versions.flatMap((version) => (version ? [version.fingerprint] : []));
}

const jwtFingerprint = ({ jwtSecret }: Secrets): string =>
  createHmac('sha256', jwtSecret).update('tidemark fingerprint').digest('base64url');
