import { and, asc, eq, gt, isNotNull, type SQL } from 'drizzle-orm';
import type { Db } from '#server/db/open.ts';
import { destinations } from '#server/db/schema/deliveries.ts';
import { UnreadableKey } from '../messages/refusals.ts';
import { headerOf, type KeySafe, type KeyVersion, UnknownKeyVersion } from './key-safe.ts';

/** Rows in one query. */
const PAGE = 200;

/** Lets other parts seal one secret for each of their rows in the safe of exchange keys. */
export const secretsIn = (safe: KeySafe) => ({
  seal: (id: string, secret: string): Buffer => safe.seal(id, { key: '', secret }),
  /** Returns the secret, or undefined if no held key opens it. */
  open(id: string, sealed: Buffer): string | undefined {
    try {
      return safe.open(id, sealed).secret;
    } catch (error) {
      if (error instanceof UnreadableKey || error instanceof UnknownKeyVersion) return undefined;
      throw error;
    }
  },
});

/** Seals the secrets of webhooks with the current key. What no held key opens stays as it is. */
export async function resealWebhooks(db: Db, safe: KeySafe, current: KeyVersion): Promise<void> {
  const header = headerOf(current);
  const secrets = secretsIn(safe);
  for (let after: SQL | undefined; ; ) {
    const rows = await db
      .select({ id: destinations.id, sealed: destinations.sealed })
      .from(destinations)
      .where(and(isNotNull(destinations.sealed), after))
      .orderBy(asc(destinations.id))
      .limit(PAGE);
    for (const { id, sealed } of rows) {
      if (!sealed || sealed.subarray(0, header.length).equals(header)) continue;
      const secret = secrets.open(id, sealed);
      if (secret !== undefined)
        await db
          .update(destinations)
          .set({ sealed: secrets.seal(id, secret) })
          .where(eq(destinations.id, id));
    }
    const last = rows.at(-1)?.id;
    if (last === undefined) return;
    after = gt(destinations.id, last);
  }
}
