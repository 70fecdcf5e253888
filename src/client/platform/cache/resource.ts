import type { UserDb } from '../db/user-db.ts';

/**
 * Something the server knows and the device keeps: how it is named, asked for, stored and read. Components
 * read only what is stored; the network's part is to store something newer.
 */
export interface Resource<Params, Wire, Data> {
  /** Names this resource with these parameters, for SWR and for its stamp. */
  key(params: Params): string;
  /** Asks the server; the answer is parsed by the contract. */
  fetch(params: Params): Promise<Wire>;
  /** Stores an answer. Runs in one transaction over the whole user database; rows still waiting to be sent stay. */
  write(db: UserDb, params: Params, wire: Wire): Promise<void>;
  /** Reads what is stored. `stamped` is false while no answer ever was; undefined means nothing is known. */
  read(db: UserDb, params: Params, stamped: boolean): Promise<Data | undefined>;
}

/** Fetches and stores; resolves with the stamp (ms) it stored. Throws what the fetch throws. */
export async function load<Params, Wire, Data>(
  db: UserDb,
  resource: Resource<Params, Wire, Data>,
  params: Params,
  now = Date.now,
): Promise<number> {
  const wire = await resource.fetch(params);
  return db.transaction('rw', db.tables, async () => {
    await resource.write(db, params, wire);
    const savedAt = now(); // taken in the transaction: of two loads at once, the later to be stored has the later stamp
    await db.stamps.put({ key: resource.key(params), savedAt });
    return savedAt;
  });
}
