import { sql } from 'drizzle-orm';
import type { Config } from '#server/config.ts';
import type { Db } from '#server/db/open.ts';
import { Problem } from '#server/http/errors.ts';
import { copyData, USE_POSTGRES_TOOLS } from './snapshot.ts';

/**
 * Copies the data of a running server. Requests wait meanwhile, because the embedded database runs one transaction at a time:
 * the copy has no half transaction, and every picture that its rows name. Throws `Problem` where the data is in PostgreSQL.
 */
export async function copyForBackup({ databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>, db: Db): Promise<void> {
  if (databaseUrl) throw new Problem(409, 'not_embedded', USE_POSTGRES_TOOLS);
  await db.transaction(async (tx) => {
    await tx.execute(sql`checkpoint`);
    await copyData(dataDir).catch((error: Error) => {
      throw new Problem(507, 'not_copied', error.message);
    });
  });
}
