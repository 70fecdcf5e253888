import type { LivePrices } from '#contract/bots/paper-prices.ts';
import type { CandleFeed } from './exchange.ts';

/** Returns the live prices that paper money follows; null for any other feed. */
export function livePricesOf({ source, live }: CandleFeed): LivePrices | null {
  if (!live) return null;
  const { staleSince } = live();
  return { source, stale_since: staleSince === null ? null : new Date(staleSince).toISOString() };
}
