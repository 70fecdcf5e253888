import { SECOND } from '#domain/clock.ts';
import type { MarketData } from '#server/ports/market-data/market-data.ts';
import { withDeadline } from '#server/with-deadline.ts';
import type { Past } from './moments.ts';

/** Histories that are read at once, and how long one may take, ms. */
const AT_ONCE = 8;
const LIMIT = 10 * SECOND;

export type PastPrices = ReturnType<typeof createPastPrices>;

/** Reads coins' hourly candles in the background, so that no check waits for them. */
export function createPastPrices(market: Pick<MarketData, 'history' | 'drawn'>) {
  /** Coins whose candles are wanted; the first ones are being read. */
  const wanted = new Set<number>();
  const running = new Set<number>();
  const results = new Map<number, Past | null>();

  async function read(id: number): Promise<Past | null> {
    if (market.drawn) {
      const series = await market.drawn.candles(id, '1h');
      return series ? { source: series.source, candles: series.candles, until: Date.parse(series.asOf) } : null;
    }
    const kept = await market.history?.hours(id);
    return kept ? { source: kept.source, candles: kept.candles, until: kept.asOf } : null;
  }

  function readNext(): void {
    for (const id of wanted) {
      if (running.size >= AT_ONCE) return;
      if (running.has(id)) continue;
      running.add(id);
      void withDeadline(LIMIT, undefined, () => read(id))
        .then(
          (past) => void results.set(id, past),
          // The next check asks again.
          () => undefined,
        )
        .finally(() => {
          running.delete(id);
          wanted.delete(id);
          readNext();
        });
    }
  }

  return {
    /** Returns a coin's candles, null where no market has any, or undefined while they are not there: then ask again later. */
    take(id: number): Past | null | undefined {
      if (!market.drawn && !market.history) return null;
      const found = results.get(id);
      results.delete(id);
      if (found === undefined) {
        wanted.add(id);
        readNext();
      }
      return found;
    },
    /** Forgets what was read or is wanted. */
    forget(): void {
      results.clear();
      wanted.clear();
    },
  };
}
