import * as z from 'zod/mini';
import { ExchangeError, type MarketTerms } from '../exchange.ts';
import { parseResult, rowsOf, share, step, text } from '../live/answers.ts';
import { orderTiers } from '../live/risk-tiers.ts';
import { MARKET } from './market.ts';
import type { MarketConnections } from './protocol.ts';

const instruments = z.object({
  list: rowsOf(
    z.object({
      symbol: text,
      priceFilter: z.object({ tickSize: step }),
      lotSizeFilter: z.object({ qtyStep: step, minOrderQty: step }),
    }),
  ),
});
const tier = z.object({ symbol: text, riskLimitValue: step, maintenanceMargin: share });
const tiers = z.object({ list: rowsOf(tier, 1) });

/** Reads the steps of prices and quantities. */
export async function readSteps({ public: { read } }: MarketConnections): Promise<Omit<MarketTerms, 'tiers'>> {
  const { result } = await read('publicGetV5MarketInstrumentsInfo', MARKET);
  const instrument = parseResult(instruments, result).list.find(({ symbol }) => symbol === MARKET.symbol);
  if (!instrument) throw new ExchangeError('unavailable', 'The exchange does not list the market.');
  const { priceFilter, lotSizeFilter } = instrument;
  const { qtyStep: quantity, minOrderQty: least } = lotSizeFilter;
  return { quantity, price: priceFilter.tickSize, least };
}

/** Reads the risk tiers. */
export async function readTiers({ public: { read } }: MarketConnections): Promise<MarketTerms['tiers']> {
  const { list } = parseResult(tiers, (await read('publicGetV5MarketRiskLimit', MARKET)).result);
  const ours = list.filter(({ symbol }) => symbol === MARKET.symbol);
  return orderTiers(
    ours.map(({ riskLimitValue: value, maintenanceMargin: maintenance }) => ({ value, quantity: Number.POSITIVE_INFINITY, maintenance })),
  );
}
