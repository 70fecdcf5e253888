import { MINUTE } from '../../../domain/clock';
import type { Db } from '../../db/open';
import type { MarketData } from '../../ports/market-data/market-data';
import { widenDay } from './day-store';

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
  let writing = Promise.resolve();
  let written = '';

  async function record(): Promise<void> {
    const { coins, source } = await market.snapshot();
    // Figures that stand still, because the provider does, are written down once.
    if (source.asOf === written) return;
    const priced = coins.flatMap(({ id, quote: { USD } }) => (USD.price === null ? [] : [[id, USD.price] as const]));
    await widenDay(db, source.asOf.slice(0, 10), new Map(priced));
    written = source.asOf;
  }

  const write = (): Promise<void> => {
    writing = writing.then(record).catch(report);
    return writing;
  };

  return {
    /** Resolves once the prices of now are stored, or the failure is reported. */
    write,
    /** Writes now and from time to time, without being waited for. */
    async start(): Promise<void> {
      void write();
      timer = setInterval(write, RECORD_EVERY).unref();
    },
    /** Resolves when nothing is being written any more. */
    async stop(): Promise<void> {
      clearInterval(timer);
      await writing;
    },
  };
}
