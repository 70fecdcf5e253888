import { DAY, HOUR, SECOND } from '#domain/clock.ts';
import type { Candle } from '#domain/market/candles.ts';
import type { CloseAnnouncer } from '#server/ports/exchange/close-announcer.ts';
import { ExchangeError } from '#server/ports/exchange/exchange.ts';
import type { LastPrice, PublicMarket } from '#server/ports/exchange/public-market.ts';
import type { SimulatedFeed } from '#server/ports/exchange/simulated-feed.ts';
import { createLivePrice } from './live-price.ts';
import { createMarkPath } from './mark-path.ts';

/** How often the feed checks the price, and stores it; ms. */
const CHECK_INTERVAL = 20 * SECOND;
/** Hourly prices for the market's changes, which go back 90 days. */
const HOURS = (91 * DAY) / HOUR;
/** How long a start waits for the first prices, ms. */
const START_LIMIT = 3 * SECOND;

interface Options {
  market: PublicMarket;
  epoch: number;
  /** The last price that an earlier process has stored. */
  stored: LastPrice | undefined;
  /** Stores the last price. */
  keep: (last: LastPrice) => Promise<void>;
  report: (error: unknown) => void;
}

export type LivePaperFeed = SimulatedFeed & CloseAnnouncer;

/** Returns a candle that contains the current price. */
const withPrice = (candle: Candle, price: number): Candle => ({
  ...candle,
  high: Math.max(candle.high, price),
  low: Math.min(candle.low, price),
  close: price,
});

/**
 * Creates a feed of live prices for paper money. Signals come from candles, orders fill at the last price, and the mark price triggers
 * stops, targets and liquidations. Resolves after three seconds even if the exchange has not answered.
 */
export async function createLivePaperFeed({ market, epoch, stored, keep, report }: Options): Promise<LivePaperFeed> {
  const { candles } = market;
  const { now } = candles;
  const price = createLivePrice({ now, read: market.lastPrice, syncClock: candles.forming, stored });
  const path = createMarkPath(market);
  let hours: readonly Candle[] = [];

  const current = (): number => {
    const last = price.last();
    if (!last) throw new ExchangeError('unavailable', 'The exchange has sent no price yet.');
    return last.price;
  };

  async function loadHours(): Promise<void> {
    const open = Math.floor(now() / HOUR) * HOUR;
    if (hours.at(-1)?.time !== open) hours = await candles.candles(HOUR, HOURS);
  }

  async function check(): Promise<void> {
    await price.demand();
    const last = price.last();
    if (last) await keep(last);
    await loadHours();
  }

  function priceAt(time: number): number {
    const first = hours[0];
    const passed = first ? (time - first.time) / HOUR : Number.POSITIVE_INFINITY;
    const hour = hours[Math.floor(Math.max(passed, 0))];
    if (!hour || hour === hours.at(-1)) return current();
    return passed < 0 ? hour.open : hour.open + (hour.close - hour.open) * (passed - Math.floor(passed));
  }

  const stream = market.follow(price.note);
  /** Reports one error of an outage. */
  let hasFailed = false;
  async function checkAndReport(): Promise<void> {
    try {
      await check();
      hasFailed = false;
    } catch (error) {
      if (!hasFailed) report(error);
      hasFailed = true;
    }
  }
  const timer = setInterval(checkAndReport, CHECK_INTERVAL).unref();
  await Promise.race([checkAndReport(), new Promise((resolve) => setTimeout(resolve, START_LIMIT).unref())]);

  return {
    ...candles,
    epoch,
    live: () => ({ staleSince: price.staleSince() }),
    knownTo: path.end,
    way: path.way,
    priceAt,
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
      clearInterval(timer);
      stream.close();
      candles.close();
    },
  };
}
