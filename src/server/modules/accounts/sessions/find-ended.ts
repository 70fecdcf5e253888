import { sql } from 'drizzle-orm';
import type { Db } from '#server/db/open.ts';
import { sessions } from '#server/db/schema/sessions.ts';

/** Returns the sessions that have ended or were deleted, in one query. */
export async function findEnded(db: Db, ids: readonly string[]): Promise<string[]> {
  const result = await db.execute(sql`
    select held.id from unnest(${sql.param(ids)}::uuid[]) as held(id)
    where not exists (select 1 from ${sessions} where ${sessions.id} = held.id and ${sessions.revokedAt} is null)`);
  return (result as { rows: { id: string }[] }).rows.map(({ id }) => id);
}
