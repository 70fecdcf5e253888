import type { Client } from 'pg';
import { StartupError } from '#server/startup-error.ts';
import { refusalOf } from '../database-errors.ts';

/** The oldest version of PostgreSQL that the tests run on. */
const OLDEST = 15;

/**
 * Connects a client. Throws `StartupError`, without the password, if PostgreSQL cannot be reached or refuses.
 * @param setting what named the database
 */
export async function connectClient(client: Client, setting: string): Promise<void> {
  await client.connect().catch((error: NodeJS.ErrnoException) => {
    throw new StartupError(`${setting}: cannot connect to PostgreSQL (${refusalOf(error) ?? error.code ?? error.message}).`);
  });
}

/**
 * Throws `StartupError` for a version of PostgreSQL that is too old.
 * @param setting what named the database
 */
export async function demandVersion(client: Client, setting: string): Promise<void> {
  const { rows } = await client.query(`select current_setting('server_version_num')::int / 10000 as major`);
  const { major } = rows[0];
  if (major < OLDEST) throw new StartupError(`${setting}: PostgreSQL is version ${major}. Tidemark needs ${OLDEST} or newer.`);
}

/**
 * Throws `StartupError` for a database that does not hold every character.
 * @param setting what named the database
 */
export async function demandUtf8(client: Client, setting: string): Promise<void> {
  const { rows } = await client.query(`select current_setting('server_encoding') as encoding`);
  const { encoding } = rows[0];
  if (encoding === 'UTF8') return;
  throw new StartupError(
    `${setting}: the database has the encoding ${encoding}, which lacks characters. ` +
      `Create a new one: create database NAME encoding 'UTF8' template template0.`,
  );
}
