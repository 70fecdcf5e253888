import type { Candle } from '../../src/domain/candles';
import { HOUR } from '../../src/domain/clock';
import type { Db } from '../../src/server/db/open';
import type { Exchange } from '../../src/server/ports/exchange/exchange';
import { createPaperExchange } from '../../src/server/ports/exchange/paper/paper-exchange';
import { createSteppedFeed } from '../../src/server/ports/exchange/paper/stepped-feed';

/** Hourly candles of a price that does not move. */
const still: Candle[] = Array.from({ length: 48 }, (_, index) => ({
  time: Date.UTC(2025, 0, 1) + index * HOUR,
  open: 100_000,
  high: 100_000,
  low: 100_000,
  close: 100_000,
  volume: 1,
}));

/** The paper exchange on a market where nothing happens, for servers whose test is about something else. */
export const quietExchange = (db: Db): Exchange =>
  createPaperExchange({ db, feed: createSteppedFeed(still, { interval: HOUR, start: 24 }) });
