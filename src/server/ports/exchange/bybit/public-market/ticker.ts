import * as z from 'zod/mini';
import { ExchangeError } from '#server/ports/exchange/exchange.ts';
import { parseResult, price, rowsOf, text } from '#server/ports/exchange/live/answers.ts';
import type { LastPrice } from '#server/ports/exchange/public-market.ts';
import { MARKET } from '../market.ts';
import type { MarketConnections } from '../protocol.ts';

const tickers = z.object({ list: rowsOf(z.object({ symbol: text, lastPrice: price })) });

/** Requests the last price. */
export async function readLastPrice(connections: MarketConnections): Promise<LastPrice> {
  const answer = await connections.public.read('publicGetV5MarketTickers', MARKET);
  const ticker = parseResult(tickers, answer.result).list.find(({ symbol }) => symbol === MARKET.symbol);
  if (!ticker) throw new ExchangeError('unavailable', 'The exchange has no price.');
  return { price: ticker.lastPrice, at: answer.time };
}
