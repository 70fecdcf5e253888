import { keepSender } from '../fan-out/keep-sender.ts';
import { connectPostgres } from '../fan-out/postgres-connection.ts';
import type { CountStore } from './limits.ts';

/** Time limit of connecting and of one statement, ms. */
const LIMIT = 2_000;
/** Time between two deletions of ended windows, and rows that one deletes: as many as a process adds in that time at most. */
const PRUNE_INTERVAL = 1_000;
const PRUNED = 5_000;

/**
 * A window is open until its end. One that ends too late was made under a clock that was set back since; transactions that
 * began earlier see an end slightly beyond their own. Sorted, so that two processes never wait for each other.
 */
const ADD = `
  insert into limit_counts as stored (id, used, ends_at)
  select id, amount, now() + span * interval '1 millisecond'
  from unnest($1::uuid[], $2::int[], $3::int[]) as sent (id, amount, span) order by id
  on conflict (id) do update set
    used = excluded.used
      + case when stored.ends_at > now() and stored.ends_at < excluded.ends_at + interval '1 minute' then stored.used else 0 end,
    ends_at = case when stored.ends_at > now() and stored.ends_at < excluded.ends_at + interval '1 minute' then stored.ends_at
      else excluded.ends_at end
  returning id, used, (extract(epoch from ends_at - now()) * 1000)::float8 as left`;

/** Skips rows that another process counts or deletes. */
const PRUNE = `
  delete from limit_counts where id = any(array(
    select id from limit_counts where ends_at < now() order by ends_at limit ${PRUNED} for update skip locked))`;

/** Counts in rows of the database, on a connection of its own: in the pool, batches would wait behind requests. */
export function postgresCounts(url: string, limit = LIMIT): CountStore {
  const sender = keepSender(
    (lose) => connectPostgres(url, { name: 'tidemark limits', limit, lose }),
    ({ socket }) => socket.destroy(),
  );
  let prunedAt = 0;

  return {
    async add(uses, onSend) {
      const found = new Map<string, { used: number; left: number }>();
      await sender.use(async ({ client }) => {
        onSend();
        const values = [uses.map(({ id }) => id), uses.map(({ amount }) => amount), uses.map(({ span }) => span)];
        const { rows } = await client.query<{ id: string; used: number; left: number }>(ADD, values);
        for (const { id, used, left } of rows) found.set(id.replaceAll('-', ''), { used, left });
        if (performance.now() - prunedAt < PRUNE_INTERVAL) return;
        prunedAt = performance.now();
        await client.query(PRUNE);
      });
      return uses.map(({ id, amount, span }) => found.get(id) ?? { used: amount, left: span });
    },

    close: sender.close,
  };
}
