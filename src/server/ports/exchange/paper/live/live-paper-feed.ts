import { SECOND } from '#domain/clock.ts';
import type { Candle } from '#domain/market/candles.ts';
import type { CloseAnnouncer } from '#server/ports/exchange/close-announcer.ts';
import { ExchangeError } from '#server/ports/exchange/exchange.ts';
import { createHourlyPrices } from '#server/ports/exchange/live/hourly-prices.ts';
import { createLivePrice } from '#server/ports/exchange/live/live-price.ts';
import { type PriceTiming, repeatCheck } from '#server/ports/exchange/live/repeat-check.ts';
import type { LastPrice, PublicMarket } from '#server/ports/exchange/public-market.ts';
import type { SimulatedFeed } from '#server/ports/exchange/simulated-feed.ts';
import { createMarkPath } from './mark-path.ts';

/** How often the feed checks the price, and stores it; ms. */
const CHECK_INTERVAL = 20 * SECOND;

interface Options {
  market: PublicMarket;
  epoch: number;
  /** The last price that an earlier process has stored. */
  stored: LastPrice | undefined;
  /** Stores the last price. */
  keep: (last: LastPrice) => Promise<void>;
  timing: PriceTiming;
  report: (error: unknown) => void;
}

export type LivePaperFeed = SimulatedFeed & CloseAnnouncer & Pick<PublicMarket, 'perpetual'>;

/** Returns a candle that contains the current price. */
const withPrice = (candle: Candle, price: number): Candle => ({
  ...candle,
  high: Math.max(candle.high, price),
  low: Math.min(candle.low, price),
  close: price,
});

/**
 * Creates a feed of live prices for paper money. Signals come from candles, orders fill at the last price, and the mark price triggers
 * stops, targets and liquidations. Without an answer of the exchange, resolves after `timing.limit`.
 */
export async function createLivePaperFeed({ market, epoch, stored, keep, timing, report }: Options): Promise<LivePaperFeed> {
  const { candles } = market;
  const { now } = candles;
  const price = createLivePrice({ now, read: market.lastPrice, syncClock: candles.forming, stored });
  const path = createMarkPath(market);

  const current = (): number => {
    const last = price.last();
    if (!last) throw new ExchangeError('unavailable', 'The exchange has sent no price yet.');
    return last.price;
  };

  const hours = createHourlyPrices(candles, current);

  async function check(): Promise<void> {
    await price.demand();
    const last = price.last();
    if (last) await keep(last);
    await hours.load();
  }

  const stream = market.follow(price.note);
  const checks = await repeatCheck({ check, every: timing.every ?? CHECK_INTERVAL, limit: timing.limit, report });

  return {
    ...candles,
    epoch,
    perpetual: market.perpetual,
    live: () => ({ staleSince: price.staleSince() }),
    knownTo: path.end,
    way: path.way,
    priceAt: hours.priceAt,
    async load(from) {
      await price.demand();
      if (from !== undefined) await path.load(from);
    },
    forming: async () => withPrice(await candles.forming(), current()),
    async candles(length, count) {
      const [...listed] = await candles.candles(length, count);
      const open = listed.pop();
      return open ? [...listed, withPrice(open, current())] : listed;
    },
    close() {
      checks.close();
      stream.close();
      candles.close();
    },
  };
}
