import type { PGlite, Transaction } from '@electric-sql/pglite';
import { inStatement } from '../tracing/spans.ts';

/** Traces the statements of an embedded database, also those of its transactions. */
export function traceStatements(pglite: PGlite): void {
  const query = tracedQuery(pglite);
  const transaction: PGlite['transaction'] = pglite.transaction.bind(pglite);
  pglite.query = query;
  pglite.transaction = (work) => transaction((tx) => work(Object.create(tx, { query: { value: tracedQuery(tx) } })));
}

function tracedQuery(on: Pick<Transaction, 'query'>): Transaction['query'] {
  const query = on.query.bind(on);
  return (text, ...rest) => inStatement(text, () => query(text, ...rest)) as ReturnType<typeof query<never>>;
}
