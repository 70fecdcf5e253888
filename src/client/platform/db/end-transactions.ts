import { awaitOpening, setInFactory } from './await-opening.ts';
import { pauseDbs } from './open-dbs.ts';

const running = new Set<IDBTransaction>();

function follow(transaction: IDBTransaction): void {
  running.add(transaction);
  const end = () => running.delete(transaction);
  transaction.addEventListener('complete', end);
  transaction.addEventListener('abort', end);
}

/**
 * Aborts the transactions of a page that cannot end them itself, because they would block other pages: a frozen page, and in WebKit
 * every page that the user leaves. WebKit keeps the transactions of a closed page until it restarts (webkit.org/b/324094).
 * Call it before the databases open.
 */
export function endTransactionsWithPage(): void {
  followTransactions();
  // Runs after the `pagehide` listeners, because they may begin transactions.
  document.addEventListener('freeze', abortAll);
  if (!navigator.vendor.startsWith('Apple')) return;
  addEventListener('pagehide', () => {
    abortAll();
    pauseDbs();
  });
}

function abortAll(): void {
  for (const each of running) {
    try {
      each.abort();
    } catch {
      // The transaction is committing: it ends by itself.
    }
  }
}

function followTransactions(): void {
  setInFactory();
  for (const name of ['open', 'deleteDatabase'] as const) {
    const ask: IDBFactory['open'] = IDBFactory.prototype[name];
    IDBFactory.prototype[name] = function (...args: Parameters<IDBFactory['open']>) {
      const request = awaitOpening(ask.apply(this, args));
      request.addEventListener('upgradeneeded', () => request.transaction && follow(request.transaction));
      return request;
    };
  }
  const { transaction } = IDBDatabase.prototype;
  IDBDatabase.prototype.transaction = function (...args) {
    const begun = transaction.apply(this, args);
    follow(begun);
    return begun;
  };
}
