import { deviceDb } from './device-db.ts';
import { pauseUserDbs } from './user-db.ts';

const running = new Set<IDBTransaction>();

function follow(transaction: IDBTransaction): void {
  running.add(transaction);
  const end = () => running.delete(transaction);
  transaction.addEventListener('complete', end);
  transaction.addEventListener('abort', end);
}

/**
 * Leaves no transaction behind when the page goes. WebKit keeps those of a page that is gone, and the next pages wait for
 * them, reload or not, until the browser is closed (see webkit.org/b/324094). What is begun after this, by what saves on
 * `pagehide`, finds the databases closed: they open again only if the page comes back. Call it before either is opened.
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
        // It is being committed: nothing waits for it.
      }
    }
    if (deviceDb.isOpen()) deviceDb.close({ disableAutoOpen: false });
    pauseUserDbs();
  });
}
