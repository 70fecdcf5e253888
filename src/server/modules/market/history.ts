import { MINUTE } from '#domain/clock.ts';
import type { Db } from '#server/db/open.ts';
import type { MarketData } from '#server/ports/market-data/market-data.ts';
import { widenDay } from './day-store.ts';

/** How often prices are written down, ms. */
const RECORD_EVERY = 5 * MINUTE;

interface Parts {
  db: Db;
  market: MarketData;
  /** Told of failures; the next try comes by itself. */
  report: (error: unknown) => void;
}

/** Writes down the days of all coins as they are seen, where the provider gives no history. */
export function createHistory({ db, market, report }: Parts) {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let writing = Promise.resolve();
  let written = '';

  async function record(): Promise<void> {
    const { coins, source } = await market.snapshot();
    // Figures that stand still, because the provider does, are written down once.
    if (stopped || source.asOf === written) return;
    const priced = coins.flatMap(({ id, quote: { USD } }) => (USD.price === null ? [] : [[id, USD.price] as const]));
    writing = widenDay(db, source.asOf.slice(0, 10), new Map(priced));
    await writing;
    written = source.asOf;
  }

  const write = (): Promise<void> => record().catch(report);

  return {
    /** Resolves once the prices of now are stored, or the failure is reported. */
    write,
    /** Writes now and from time to time, without being waited for. */
    async start(): Promise<void> {
      void write();
      timer = setInterval(write, RECORD_EVERY).unref();
    },
    /** Resolves when nothing is being written any more. A provider that is slow to answer is not waited for. */
    async stop(): Promise<void> {
      stopped = true;
      clearInterval(timer);
      // Its failure is reported by who began it.
      await writing.catch(() => undefined);
    },
  };
}
