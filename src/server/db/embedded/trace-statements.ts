import type { PGlite, Transaction } from '@electric-sql/pglite';
import { inStatement } from '#server/tracing/spans.ts';
import { createTurns } from './turns.ts';

/** Traces the statements of an embedded database, also those of its transactions, and lets the process look for requests between them. */
export function traceStatements(pglite: PGlite): void {
  const turn = createTurns();
  const query = traceQuery(pglite, turn);
  const transaction: PGlite['transaction'] = pglite.transaction.bind(pglite);
  pglite.query = query;
  pglite.transaction = (work) => transaction((tx) => work(Object.create(tx, { query: { value: traceQuery(tx, turn) } })));
}

function traceQuery(on: Pick<Transaction, 'query'>, turn: () => Promise<void> | undefined): Transaction['query'] {
  const query = on.query.bind(on);
  return (async (text, ...rest) => {
    const result = await inStatement(text, () => query(text, ...rest));
    await turn();
    return result;
  }) as Transaction['query'];
}
