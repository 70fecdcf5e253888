import type { Currency, MarketListBody, Quotes } from '#contract/market/market.ts';

/** Limits are inclusive. An unknown value passes no limit. */
function within(value: number | null | undefined, min: number | undefined, max: number | undefined): boolean {
  if (min === undefined && max === undefined) return true;
  return value != null && value >= (min ?? Number.NEGATIVE_INFINITY) && value <= (max ?? Number.POSITIVE_INFINITY);
}

/** Returns whether a coin passes the eight filters. Price, market cap and change are in the list's currency, volume is always in USD. */
export function passes({ quote }: { quote: Quotes }, filters: MarketListBody, currency: Currency): boolean {
  const shown = quote[currency];
  return (
    within(shown?.market_cap, filters.marketCapMin, filters.marketCapMax) &&
    within(quote.USD?.volume_24h, filters.volume24hMin, filters.volume24hMax) &&
    within(shown?.price, filters.priceMin, filters.priceMax) &&
    within(shown?.percent_change_24h, filters.percentChange24hMin, filters.percentChange24hMax)
  );
}
