import { transact } from '../db/transact.ts';
import type { UserDb, UserTables } from '../db/user-db.ts';

/**
 * Server data that the device caches: its key, its request, and how to store and read it. Components read the stored
 * data, and an answer until it is stored.
 */
export interface Resource<Params, Wire, Data> {
  /** Returns the key for these parameters, for SWR and for the stamp. */
  key(params: Params): string;
  /** Requests the data and parses it by the contract. */
  fetch(params: Params): Promise<Wire>;
  /**
   * Returns what the screen shows of an answer until it is stored. Without it, the screen waits: unsent changes on the
   * device may have to be applied first. `at`: when the answer came, ms.
   */
  show?(wire: Wire, params: Params, at: number): Data;
  /** How a device without data asks for it first, while the main script loads (first-script/first-request.ts). */
  first?: {
    path: string;
    /** Returns parameters whose answer is the beginning of that for `params`; undefined if that is small. */
    part(params: Params): Params | undefined;
  };
  /** Whether a screen that opens again starts with its last read. Not for lists from which users delete rows. */
  isRemembered?: true;
  /** Returns what other screens have of the data in memory, until the device is read. */
  peek?(userId: string, params: Params): Data | undefined;
  /** Stores an answer, in a transaction over the whole user database. It must keep rows that are not sent yet. */
  write(db: UserTables, params: Params, wire: Wire): Promise<void>;
  /** Reads the stored data; undefined means unknown. `stamped` is false until the first answer is stored. */
  read(db: UserDb, params: Params, stamped: boolean): Promise<Data | undefined>;
}

/** Fetches and stores a resource. Returns its stamp, ms. Throws what the fetch throws. */
export async function load<Params, Wire, Data>(
  db: UserDb,
  resource: Resource<Params, Wire, Data>,
  params: Params,
  now = Date.now,
): Promise<number> {
  return store(db, resource, params, await resource.fetch(params), now);
}

/** Stores an answer. Returns its stamp, ms. */
export function store<Params, Wire, Data>(
  db: UserDb,
  resource: Resource<Params, Wire, Data>,
  params: Params,
  wire: Wire,
  now = Date.now,
): Promise<number> {
  return transact(db, db.tables, async (db) => {
    await resource.write(db, params, wire);
    const savedAt = now(); // in the transaction, so that the later of two concurrent loads has the later stamp
    await db.stamps.put({ key: resource.key(params), savedAt });
    return savedAt;
  });
}
