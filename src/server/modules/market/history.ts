import { MINUTE } from '#domain/clock.ts';
import type { Db } from '#server/db/open.ts';
import type { MarketData } from '#server/ports/market-data/market-data.ts';
import { widenDay } from './day-store.ts';

/** Recording interval, ms. */
const RECORD_EVERY = 5 * MINUTE;

interface Parts {
  db: Db;
  market: MarketData;
  /** Whether prices of a demo market are recorded: not where real ones may follow, which would continue the demo's history. */
  recordsDemo: boolean;
  /** Called with errors; the next interval retries. */
  report: (error: unknown) => void;
}

/** Records daily prices of all coins, because providers give no history. */
export function createHistory({ db, market, recordsDemo, report }: Parts) {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let writing = Promise.resolve();
  let written = '';

  async function record(): Promise<void> {
    const { coins, source } = await market.snapshot();
    // Skip prices that have not changed since the last write.
    if (stopped || source.asOf === written || (source.demo && !recordsDemo)) return;
    const priced = coins.flatMap(({ id, quote: { USD } }) => (USD.price === null ? [] : [[id, USD.price] as const]));
    writing = widenDay(db, source.asOf.slice(0, 10), new Map(priced));
    await writing;
    written = source.asOf;
  }

  const write = (): Promise<void> => record().catch(report);

  return {
    /** Stores the current prices; reports errors instead of throwing. */
    write,
    /** Records now and at each interval, in the background. */
    async start(): Promise<void> {
      void write();
      timer = setInterval(write, RECORD_EVERY).unref();
    },
    /** Waits for a running write, but not for a slow provider. */
    async stop(): Promise<void> {
      stopped = true;
      clearInterval(timer);
      // `write` reports the error.
      await writing.catch(() => undefined);
    },
  };
}
