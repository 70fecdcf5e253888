import { sql } from 'drizzle-orm';
import { DAY } from '#domain/clock.ts';
import { refreshTokens, sessions } from '#server/db/schema/sessions.ts';
import { BATCH, deleteOld, type Work } from './delete-rows.ts';

/**
 * Deletes expired refresh tokens, and each session with its last one: a session without tokens would treat an expired one as stolen.
 * Ended sessions go after a day.
 */
export async function deleteExpiredSessions(work: Work): Promise<void> {
  const { db, now, pause } = work;
  const time = new Date(now).toISOString();
  const expired = sql`
    with old as (
      select token_hash, session_id from ${refreshTokens} where expires_at < ${time} order by expires_at limit ${BATCH}
    ), gone as (
      delete from ${sessions} where id in (select session_id from old)
        and not exists (select from ${refreshTokens} valid where valid.session_id = ${sessions.id} and valid.expires_at >= ${time})
      returning id
    ), single as (
      delete from ${refreshTokens} where token_hash in (select token_hash from old where session_id not in (select id from gone))
    )
    select count(*)::int as count from old`;
  let count = BATCH;
  while (count === BATCH) {
    await pause();
    const { rows } = (await db.execute(expired)) as { rows: { count: number }[] };
    count = rows[0]?.count ?? 0;
  }
  await deleteOld(work, sessions.revokedAt, new Date(now - DAY));
}
