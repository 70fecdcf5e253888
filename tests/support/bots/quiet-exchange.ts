import { HOUR } from '#domain/clock.ts';
import type { Candle } from '#domain/market/candles.ts';
import type { Db } from '#server/db/open.ts';
import type { Exchange } from '#server/ports/exchange/exchange.ts';
import { createPaperExchange } from '#server/ports/exchange/paper/paper-exchange.ts';
import { createSteppedFeed } from '#server/ports/exchange/paper/stepped-feed.ts';

/** Hourly candles with a constant price. */
const still: Candle[] = Array.from({ length: 48 }, (_, index) => ({
  time: Date.UTC(2025, 0, 1) + index * HOUR,
  open: 100_000,
  high: 100_000,
  low: 100_000,
  close: 100_000,
  volume: 1,
}));

/** Creates a paper exchange whose price never moves, for tests that are not about trading. */
export const quietExchange = (db: Db): Exchange =>
  createPaperExchange({ db, feed: createSteppedFeed(still, { interval: HOUR, start: 24 }) });
