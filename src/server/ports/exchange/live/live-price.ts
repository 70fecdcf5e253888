import { SECOND } from '#domain/clock.ts';
import { ExchangeError } from '#server/ports/exchange/exchange.ts';
import type { LastPrice } from '#server/ports/exchange/public-market.ts';

/** Age from which a price is confirmed by a request, and from which nothing trades on it; ms. */
const FRESH = 5 * SECOND;
const STALE = 30 * SECOND;

interface Options {
  /** The exchange's time, ms. */
  now: () => number;
  /** Requests the last price. */
  read: () => Promise<LastPrice>;
  /** Corrects `now`. */
  syncClock: () => Promise<unknown>;
  /** The price that an earlier process has stored. */
  stored?: LastPrice | undefined;
}

/** Creates the current price: a stream reports it, and requests confirm it where the stream is silent. */
export function createLivePrice({ now, read, syncClock, stored }: Options) {
  let last = stored;
  let reading: Promise<void> | undefined;

  const age = (): number => (last ? now() - last.at : Number.POSITIVE_INFINITY);

  /** Takes a price, unless it is older than the known one. The exchange's clock may be ahead of its answers'. */
  function note({ price, at }: LastPrice): void {
    const seen = Math.min(at, now());
    if (!last || seen >= last.at || last.at > now()) last = { price, at: seen };
  }

  async function renew(): Promise<void> {
    const current = await read();
    // The clocks differ, or the answer is old. Reading candles corrects the clock.
    if (Math.abs(now() - current.at) > STALE) await syncClock();
    note(current);
  }

  const staleSince = (): number | null => (last && age() > STALE ? last.at : null);

  return {
    note,
    /** Returns the last known price; undefined before the first one. */
    last: (): LastPrice | undefined => last,
    /** Returns since when there are no new prices, ms; null if there are. */
    staleSince,

    /**
     * Resolves when the price is one to trade on.
     * @throws ExchangeError `unavailable` if it is not
     */
    async demand(): Promise<void> {
      if (age() <= FRESH) return;
      reading ??= renew().finally(() => {
        reading = undefined;
      });
      await reading.catch((error: unknown) => {
        if (age() > STALE) throw error;
      });
      if (age() <= STALE) return;
      const since = last ? ` since ${new Date(last.at).toISOString().slice(0, 16).replace('T', ' ')} UTC` : '';
      throw new ExchangeError('unavailable', `The exchange has sent no prices${since}.`);
    },
  };
}
