import * as z from 'zod/mini';
import type { Perpetual } from '#domain/analyst/figures.ts';
import { ExchangeError } from '#server/ports/exchange/exchange.ts';
import { fundingRate, knownMoment, moment, parseResult, price, rowsOf, someAmount, text } from '#server/ports/exchange/live/answers.ts';
import type { LastPrice } from '#server/ports/exchange/public-market.ts';
import { MARKET } from '../market.ts';
import type { MarketConnections } from '../protocol.ts';

const tickers = z.object({ list: rowsOf(z.object({ symbol: text, lastPrice: price })) });
const perpetuals = z.object({
  list: rowsOf(
    z.object({
      symbol: text,
      fundingRate,
      nextFundingTime: knownMoment,
      openInterest: someAmount,
      openInterestValue: someAmount,
    }),
  ),
});

/** Requests the ticker of the market. */
async function readTicker<Row extends { symbol: string }>(
  connections: MarketConnections,
  shape: z.ZodMiniType<{ list: Row[] }>,
): Promise<{ ticker: Row; at: number }> {
  const answer = await connections.public.read('publicGetV5MarketTickers', MARKET);
  const ticker = parseResult(shape, answer.result).list.find(({ symbol }) => symbol === MARKET.symbol);
  if (!ticker) throw new ExchangeError('unavailable', 'The exchange has no price.');
  return { ticker, at: answer.time };
}

/** Requests the last price. */
export async function readLastPrice(connections: MarketConnections): Promise<LastPrice> {
  const { ticker, at } = await readTicker(connections, tickers);
  return { price: ticker.lastPrice, at };
}

/** Requests funding rate and open interest. `source`: the market's name. */
export async function readPerpetual(connections: MarketConnections, source: string): Promise<Perpetual> {
  const { ticker, at } = await readTicker(connections, perpetuals);
  const { fundingRate: rate, nextFundingTime, openInterest: coins, openInterestValue: usd } = ticker;
  const openInterest = coins > 0 && usd > 0 ? { coins, usd } : undefined;
  return { source, asOf: parseResult(moment, at), fundingRate: rate, nextFundingAt: nextFundingTime, openInterest };
}
