import { CURRENCIES } from '#contract/market/choices.ts';
import type { Quotes } from '#contract/market/market.ts';
import { formatCompact } from '../format/format-number.ts';

/** Returns volume over market cap in percent with two decimals, or a dash without a cap. */
export function formatVolumeToCap(volume: number | null | undefined, cap: number | null | undefined): string {
  return volume == null || !cap ? formatCompact(null) : `${((volume / cap) * 100).toFixed(2)}%`;
}

/** Returns the volume in percent of the market cap, both in one currency. Undefined if no currency has both. */
export function volumeToCap(quote: Quotes): string | undefined {
  const known = CURRENCIES.map((currency) => quote[currency]).find((each) => each?.volume_24h != null && each.market_cap);
  return known && formatVolumeToCap(known.volume_24h, known.market_cap);
}
