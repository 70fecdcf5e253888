import * as z from 'zod/mini';
import { answer } from '../envelope.ts';
import { figure, marketSource } from './market.ts';

/** GET /coin-market/global: sums over the coins that the source knows. Null where unknown. */
export const marketTotals = z.object({
  /** USD. */
  market_cap: figure,
  /** Percent. */
  market_cap_change_24h: figure,
  /** Bitcoin's share of the market cap, percent. */
  btc_dominance: figure,
  /** Percentage points. */
  btc_dominance_change_24h: figure,
  /** Number of coins in the sums. */
  coins: z.number(),
  source: marketSource,
});
export type MarketTotals = z.infer<typeof marketTotals>;
export const marketTotalsAnswer = answer(marketTotals);
