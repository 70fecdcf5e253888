/** Without an answer for this time, ms, the database may wait for a page that the browser keeps for Back. */
const PATIENCE = 1000;

/** Whether the `IDBFactory` of this page calls `awaitOpening` with each request. */
export let isInFactory = false;
export function setInFactory(): void {
  isInFactory = true;
}

/**
 * Keeps a page that is left while it opens a database from blocking all others. Chromium keeps the page with its request and, if the database
 * has to be created, lets every other page wait for it. It drops a kept page that would hear a message, so each page that waits listens
 * to one channel, and writes to it while it gets no answer. So does a page that deletes one.
 */
export function awaitOpening(opening: IDBOpenDBRequest): IDBOpenDBRequest {
  const channel = new BroadcastChannel('opening-database');
  const asking = setInterval(() => channel.postMessage(''), PATIENCE);
  const end = () => {
    clearInterval(asking);
    channel.close();
  };
  for (const type of ['upgradeneeded', 'success', 'error']) opening.addEventListener(type, end);
  return opening;
}
