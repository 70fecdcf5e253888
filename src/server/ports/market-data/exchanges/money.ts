import { DISPLAY_CURRENCIES } from '#contract/market/display-currencies.ts';
import { median } from './median.ts';
import type { Quoted } from './quoted.ts';
import type { VenueId } from './venue.ts';

/** Units of a currency for one dollar, and the exchanges that say so. */
export interface Money {
  rates: readonly (readonly [currency: string, rate: number])[];
  venues: readonly VenueId[];
}

/** Returns the rates of display currencies that exchanges trade for dollars: the median of the exchanges. */
export function moneyOf(quoted: readonly Quoted[]): Money {
  const wanted = new Set<string>(DISPLAY_CURRENCIES);
  const found = quoted.flatMap(({ venue, base, quote, price }) => {
    if (quote === 'USD' && wanted.has(base)) return [{ venue, currency: base, rate: 1 / price }];
    return base === 'USD' && wanted.has(quote) ? [{ venue, currency: quote, rate: price }] : [];
  });
  const currencies = [...new Set(found.map(({ currency }) => currency))];
  return {
    rates: currencies.map((currency) => [currency, median(found.filter((one) => one.currency === currency).map(({ rate }) => rate))]),
    venues: [...new Set(found.map(({ venue }) => venue))],
  };
}
