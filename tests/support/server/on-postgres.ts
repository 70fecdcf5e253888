import { afterAll, beforeAll, beforeEach } from 'vitest';
import { type PostgresServer, startPostgres } from '../processes/postgres.ts';

/** Returns the settings that servers on one database share. */
export const sharedEnv = (databaseUrl: string) => ({
  DATABASE_URL: databaseUrl,
  JWT_SECRET: 'j'.repeat(32),
  SECRETS_KEY: 's'.repeat(32),
});

/**
 * Starts PostgreSQL for the tests of a file or a group, and skips them where it is not installed.
 * @param open runs before the first test
 * @param close runs after the last test, also when `open` failed half-way
 */
export function onPostgres(open: (postgres: PostgresServer) => Promise<void>, close: () => Promise<void>): void {
  let postgres: PostgresServer | undefined;
  beforeAll(async () => {
    postgres = await startPostgres();
    if (postgres) await open(postgres);
  }, 180_000);
  beforeEach(({ skip }) => {
    if (!postgres) skip('PostgreSQL is not installed here');
  });
  afterAll(async () => {
    if (!postgres) return;
    await close();
    await postgres.stop();
  });
}
