import { transact } from '../db/transact.ts';
import type { UserDb, UserTables } from '../db/user-db.ts';
import { keepNewest } from './keep-newest.ts';
import { onForget } from './memory.ts';

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

/** Resources whose last stored request is remembered. The oldest ones are forgotten. */
const MAX_ORDERED = 200;
let requests = 0;
/** The request behind each stored answer, by `placeOf`. */
const storedRequests = new Map<string, number>();
onForget(() => storedRequests.clear());

/** Returns the place of a request that begins now among the requests of this page. */
export const nextRequest = (): number => ++requests;

/** Names a resource of one user, for SWR too. */
export const placeOf = (dbName: string, key: string): string => `${dbName}/${key}`;

/** Returns whether the device has the answer to a later request: the answer at hand may lack a change that was made in between. */
export const isOvertaken = (place: string, request: number): boolean => (storedRequests.get(place) ?? 0) > request;

/** Fetches and stores a resource. Returns its stamp, ms. Throws what the fetch throws. */
export async function load<Params, Wire, Data>(
  db: UserDb,
  resource: Resource<Params, Wire, Data>,
  params: Params,
  now = Date.now,
): Promise<number> {
  const request = nextRequest();
  return store(db, resource, params, await resource.fetch(params), request, now);
}

/** Stores an answer, unless the device has that to a later request. Returns the stamp of what is stored, ms. */
export function store<Params, Wire, Data>(
  db: UserDb,
  resource: Resource<Params, Wire, Data>,
  params: Params,
  wire: Wire,
  request = nextRequest(),
  now = Date.now,
): Promise<number> {
  const key = resource.key(params);
  const place = placeOf(db.name, key);
  return transact(db, db.tables, async (db) => {
    const stamp = await db.stamps.get(key); // behind earlier transactions
    if (stamp && isOvertaken(place, request)) return stamp.savedAt;
    await resource.write(db, params, wire);
    const savedAt = now(); // in the transaction, so that the later of two concurrent loads has the later stamp
    await db.stamps.put({ key, savedAt });
    keepNewest(storedRequests, place, request, MAX_ORDERED);
    return savedAt;
  });
}
