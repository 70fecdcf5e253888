import { DAY, MINUTE } from '#domain/clock.ts';
import { parseResult } from '../live/answers.ts';
import type { PageReader } from '../live/candle-pages.ts';
import { klines, readKlines } from './klines.ts';
import { MARKET } from './market.ts';
import type { MarketConnections } from './protocol.ts';

/** Returns Bybit's name of a candle length. */
const nameOf = (length: number): string => (length === DAY ? 'D' : String(length / MINUTE));

/** Calls for candles of the last price and of the mark price. */
const CALLS = { last: 'publicGetV5MarketKline', mark: 'publicGetV5MarketMarkPriceKline' } as const;

/** Creates the reader of Bybit's candles, which also corrects the clock offset. */
export const createPageReader = (connections: MarketConnections, price: keyof typeof CALLS = 'last'): PageReader => ({
  size: 1000,
  async read(length, page) {
    const answer = await connections.public.read(CALLS[price], { ...MARKET, interval: nameOf(length), ...page });
    connections.updateClock(answer.time);
    return readKlines(parseResult(klines, answer.result), length, answer.time);
  },
});
