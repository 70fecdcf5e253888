import type { Client } from 'pg';
import { StartupError } from '../startup-error.ts';

/** Schema that `npm run operator -- move` has in PostgreSQL until it is done. */
export const MOVE_SCHEMA = 'tidemark_move';

/** Throws `StartupError` for a database into which the data was not moved completely. */
export async function demandFinishedMove(client: Client): Promise<void> {
  const { rows } = await client.query('select 1 from pg_namespace where nspname = $1', [MOVE_SCHEMA]);
  if (rows.length > 0) throw new StartupError('DATABASE_URL: the database holds an unfinished move. Run `npm run operator -- move` again.');
}
