import type { MarketSnapshot } from '#server/ports/market-data/market-data.ts';
import { type CheckParts, createSnapshotCheck } from './check-snapshots.ts';
import { hasWatches } from './check-store.ts';

/** Snapshots that wait while the database is slow. The hours of those that are dropped come from candles. */
const MAX_WAITING = 12;

interface Parts extends CheckParts {
  leadership: {
    /** Takes or keeps the lead. Returns false while another process leads. */
    lead(): Promise<boolean>;
    resign(): Promise<void>;
  };
}

/** Checks price alerts at each update of the market, in the one process that leads. Reads no market while no alert waits. */
export function createAlertChecker({ leadership, ...parts }: Parts) {
  const { db, market, everyMs, report } = parts;
  const { check, save, forget } = createSnapshotCheck(parts);
  let waiting: MarketSnapshot[] = [];
  let latest: MarketSnapshot | undefined;
  let isLeader = false;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  let leading: Promise<boolean> | undefined;
  let looking: Promise<void> | undefined;
  let checking: Promise<void> | undefined;

  /** Takes or keeps the lead while alerts wait for prices. */
  async function leads(): Promise<boolean> {
    isLeader = (await hasWatches(db)) && (await leadership.lead());
    if (!isLeader) forget();
    return isLeader;
  }

  async function checkWaiting(): Promise<void> {
    while (waiting.length > 0 && !isClosed) {
      const snapshots = [...waiting];
      await check(snapshots);
      waiting = waiting.filter((snapshot) => !snapshots.includes(snapshot));
    }
  }

  async function look(): Promise<void> {
    leading = leads();
    if (!(await leading)) return;
    const snapshot = await market.snapshot();
    if (isClosed || snapshot === latest || snapshot.source.stale) return;
    latest = snapshot;
    waiting = [...waiting, snapshot].slice(-MAX_WAITING);
    checking ??= checkWaiting()
      .catch(report)
      .finally(() => {
        checking = undefined;
      });
  }

  /** Takes the market's current update, while the updates before it may still be checked. */
  function tick(): void {
    looking ??= look()
      .catch(report)
      .finally(() => {
        looking = undefined;
      });
  }

  return {
    async start(): Promise<void> {
      timer = setInterval(tick, everyMs).unref();
      tick();
    },

    /** Takes an update at once, and resolves when it is checked. */
    async update(): Promise<void> {
      tick();
      await looking;
      await checking;
    },

    /** Ends the running check, and lets another process lead. Does not wait for a slow provider. */
    async close(): Promise<void> {
      isClosed = true;
      clearInterval(timer);
      await leading?.catch(() => undefined);
      await checking;
      if (!isLeader) return;
      isLeader = false;
      await save().then(leadership.resign).catch(report);
    },
  };
}
