import { pauseDbs } from './open-dbs.ts';

const running = new Set<IDBTransaction>();

function follow(transaction: IDBTransaction): void {
  running.add(transaction);
  const end = () => running.delete(transaction);
  transaction.addEventListener('complete', end);
  transaction.addEventListener('abort', end);
}

/**
 * Aborts all transactions on `pagehide`, in WebKit: it keeps those of a closed page, and later pages wait for them until
 * the browser restarts (webkit.org/b/324094). Call it before the databases open.
 */
export function endTransactionsWithPage(): void {
  if (!navigator.vendor.startsWith('Apple')) return;
  const { open } = IDBFactory.prototype;
  IDBFactory.prototype.open = function (...args) {
    const request = open.apply(this, args);
    request.addEventListener('upgradeneeded', () => request.transaction && follow(request.transaction));
    return request;
  };
  const { transaction } = IDBDatabase.prototype;
  IDBDatabase.prototype.transaction = function (...args) {
    const begun = transaction.apply(this, args);
    follow(begun);
    return begun;
  };
  addEventListener('pagehide', () => {
    for (const each of running) {
      try {
        each.abort();
      } catch {
        // The transaction is committing: it ends by itself.
      }
    }
    pauseDbs();
  });
}
