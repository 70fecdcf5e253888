import * as z from 'zod/mini';
import { atMost } from '#contract/text.ts';
import { DAY, HOUR } from '#domain/clock.ts';
import { ExchangeError, type MarketTerms } from '../exchange.ts';
import { parseResult } from './answers.ts';
import type { MarketConnections } from './candle-pages.ts';
import { MARKET } from './market.ts';

/** How often the terms are read, and how soon again after a failure, ms. */
const REFRESH = DAY;
const RETRY = HOUR;

const step = z.pipe(z.string().check(atMost(32)), z.transform(Number)).check(z.positive());
const share = z.pipe(z.union([z.string(), z.number()]), z.transform(Number)).check(z.positive(), z.lt(1));
const instruments = z.object({
  list: z.array(
    z.object({
      symbol: z.string(),
      priceFilter: z.object({ tickSize: step }),
      lotSizeFilter: z.object({ qtyStep: step, minOrderQty: step }),
    }),
  ),
});
const tiers = z.object({ list: z.array(z.object({ isLowestRisk: z.number(), maintenanceMargin: share })) });

interface Options {
  connections: MarketConnections;
  /** Receives the error of a refresh that failed. */
  report: (error: unknown) => void;
}

/** Creates the reader of the market's terms. It reads them once a day; when that fails, the terms of the day before remain. */
export function createTerms({ connections, report }: Options): () => Promise<MarketTerms> {
  const { now } = connections;
  let known: MarketTerms | undefined;
  let dueAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<MarketTerms> | undefined;

  async function read(): Promise<MarketTerms> {
    const [market, risk] = await Promise.all([
      connections.public.read('publicGetV5MarketInstrumentsInfo', MARKET),
      connections.public.read('publicGetV5MarketRiskLimit', MARKET),
    ]);
    const instrument = parseResult(instruments, market.result).list.find(({ symbol }) => symbol === MARKET.symbol);
    const lowest = parseResult(tiers, risk.result).list.find(({ isLowestRisk }) => isLowestRisk === 1);
    if (!instrument || !lowest) throw new ExchangeError('unavailable', 'The exchange does not list the market.');
    const { priceFilter, lotSizeFilter } = instrument;
    const { qtyStep: quantity, minOrderQty: least } = lotSizeFilter;
    return { quantity, price: priceFilter.tickSize, least, maintenance: lowest.maintenanceMargin };
  }

  return async () => {
    if (known && now() < dueAt && dueAt <= now() + REFRESH) return known;
    reading ??= read().finally(() => {
      reading = undefined;
    });
    try {
      known = await reading;
      dueAt = now() + REFRESH;
    } catch (error) {
      if (!known) throw error;
      dueAt = now() + RETRY;
      report(error);
    }
    return known;
  };
}
