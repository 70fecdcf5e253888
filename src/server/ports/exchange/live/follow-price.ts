import { SECOND } from '#domain/clock.ts';
import { type CandleFeed, ExchangeError } from '../exchange.ts';
import type { SimulatedFeed } from '../simulated-feed.ts';
import { createHourlyPrices } from './hourly-prices.ts';
import { createLivePrice } from './live-price.ts';
import { type PriceTiming, repeatCheck } from './repeat-check.ts';

/** How often the exchange is asked for its price, ms. */
const CHECK_INTERVAL = 10 * SECOND;

/** A real exchange's prices, past and current. */
export type FollowedPrice = Pick<SimulatedFeed, 'source' | 'speed' | 'now' | 'priceAt' | 'candles' | 'live'> & { close(): void };

/**
 * Follows the price of a real exchange, so that the market shows the price that bots trade at. Without an answer of the
 * exchange, resolves after `limit`.
 */
export async function followPrice(
  feed: CandleFeed,
  report: (error: unknown) => void,
  { limit, every = CHECK_INTERVAL }: PriceTiming = {},
): Promise<FollowedPrice> {
  const { source, speed, now, candles } = feed;
  const read = async () => ({ price: (await feed.forming()).close, at: now() });
  const price = createLivePrice({ now, read, syncClock: async () => undefined });
  const hours = createHourlyPrices(feed, () => {
    const last = price.last();
    if (!last) throw new ExchangeError('unavailable', 'The exchange has sent no price yet.');
    return last.price;
  });

  async function check(): Promise<void> {
    await price.demand();
    await hours.load();
  }
  const checks = await repeatCheck({ check, every, limit, report });

  return {
    ...{ source, speed, now, candles, priceAt: hours.priceAt, close: checks.close },
    live: () => ({ staleSince: price.staleSince() }),
  };
}
