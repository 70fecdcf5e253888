import * as z from 'zod/mini';
import type { Perpetual } from '#domain/analyst/figures.ts';
import { ExchangeError } from '../exchange.ts';
import { fundingRate, knownMoment, parseResult, rowsOf, someAmount, text } from '../live/answers.ts';
import { MARKET } from './market.ts';
import type { MarketConnections } from './protocol.ts';

/** `fundingRate` is due at `fundingTime`; `nextFundingTime` is the one after that. */
const rates = rowsOf(z.object({ instId: text, fundingRate, fundingTime: knownMoment, ts: knownMoment }));
/** `oiCcy` is in BTC. Earlier answers had no `oiUsd`. */
const interests = rowsOf(z.object({ instId: text, oiCcy: someAmount, oiUsd: someAmount }));

/** Requests funding rate and open interest. `source`: the market's name. */
export async function readPerpetual({ public: { read } }: MarketConnections, source: string): Promise<Perpetual> {
  const [funding, interest] = await Promise.all([
    read('publicGetPublicFundingRate', MARKET),
    read('publicGetPublicOpenInterest', { instType: 'SWAP', ...MARKET }),
  ]);
  const isOurs = ({ instId }: { instId: string }) => instId === MARKET.instId;
  const rate = parseResult(rates, funding.result).find(isOurs);
  if (!rate) throw new ExchangeError('unavailable', 'The exchange has no funding rate.');
  const { oiCcy: coins = 0, oiUsd: usd = 0 } = parseResult(interests, interest.result).find(isOurs) ?? {};
  const openInterest = coins > 0 && usd > 0 ? { coins, usd } : undefined;
  return { source, asOf: rate.ts, fundingRate: rate.fundingRate, nextFundingAt: rate.fundingTime, openInterest };
}
