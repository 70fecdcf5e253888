import { sql } from 'drizzle-orm';
import type { Db } from '#server/db/open.ts';
import type { PushSubscriber } from './push-service.ts';

type Browser = Pick<PushSubscriber, 'endpoint' | 'keys'>;

/** Stores users with open sessions, and a browser in each session. The number of users divides that of the browsers. Returns the users' ids. */
export async function insertBrowsers(db: Db, users: number, browsers: readonly Browser[]): Promise<string[]> {
  const inserted = await db.execute(sql`insert into users (email, first_name, last_name, password_hash, verified_at)
    select 'pushed' || n || '@example.com', 'Ada', 'Byron', 'x', now() from generate_series(1, ${users}::int) n returning id`);
  const ids = (inserted as unknown as { rows: { id: string }[] }).rows.map(({ id }) => id);
  const given = browsers.map((browser, place) => ({ ...browser, user: ids[place % users] }));
  await db.execute(sql`with given as (
      select gen_random_uuid() as session, "user", endpoint, keys
      from json_to_recordset(${JSON.stringify(given)}::json) as one("user" uuid, endpoint text, keys jsonb)
    ), opened as (insert into sessions (id, user_id) select session, "user" from given)
    insert into destinations (user_id, channel, address, details)
    select "user", 'push', endpoint, keys || jsonb_build_object('session', session) from given`);
  return ids;
}
