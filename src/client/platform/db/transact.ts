import type { Dexie, Table } from 'dexie';

/**
 * Changes tables together, or none of them. `scope` must use the tables that it gets, and hand them to what it calls. Within
 * a transaction that runs, it joins that one.
 *
 * Tables of the database find their transaction by a guess of Dexie, which fails at times where several transactions await
 * functions of their own (https://github.com/dexie/Dexie.js/issues/1186). `scope` is not awaited here, so that such a use fails always.
 */
export const transact = <Tables extends object, Result>(
  from: (Dexie & Tables) | Tables,
  tables: Table[],
  scope: (tables: Tables) => Promise<Result>,
): Promise<Result> =>
  isDatabase(from) ? from.transaction('rw', tables, (transaction) => scope(transaction as unknown as Tables)) : scope(from);

// Not by `instanceof`: scripts of the first row import this file, and Dexie comes later.
const isDatabase = <Tables extends object>(from: (Dexie & Tables) | Tables): from is Dexie & Tables => 'transaction' in from;
