import path from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { openDurable } from '#server/db/embedded/durable.ts';
import { explainFullDisk } from '#server/files/full-disk.ts';
import { type Query, TEXT_FORMS } from './tables.ts';

/** An embedded database that no server uses. */
export interface Embedded {
  pglite: PGlite;
  query: Query;
  close: () => Promise<void>;
}

/** Opens the embedded database below a folder without migrating it. Creates it on first use. */
export async function openEmbedded(folder: string): Promise<Embedded> {
  const pglite = await openDurable(path.join(folder, 'db')).catch((error: unknown) => {
    throw explainFullDisk(error, folder);
  });
  await pglite.exec(TEXT_FORMS);
  const query: Query = async <Row>(text: string, values: readonly (string | null)[] = []) =>
    (await pglite.query<Row>(text, [...values])).rows;
  return { pglite, query, close: () => pglite.close() };
}
