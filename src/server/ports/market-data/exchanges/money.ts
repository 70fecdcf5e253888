import { DISPLAY_CURRENCIES } from '#contract/market/display-currencies.ts';
import { median } from './median.ts';
import type { Quoted } from './quoted.ts';
import { ratesOf } from './rates.ts';
import { VENUE_IDS, type VenueId } from './venue.ts';

/** Units of a currency for one dollar, and the exchanges that say so. */
export interface Money {
  rates: readonly (readonly [currency: string, rate: number])[];
  venues: readonly VenueId[];
}

/** What display currencies are traded for: dollars before stablecoins, which few exchanges trade for dollars. */
const DOLLARS = [['USD'], ['USDT', 'USDC']] as const;

/** Returns the rates of display currencies that exchanges trade for dollars, or else for stablecoins: the median of the exchanges. */
export function moneyOf(quoted: readonly Quoted[]): Money {
  const dollars = ratesOf(quoted).rates;
  const found = DISPLAY_CURRENCIES.flatMap((currency) => {
    const byKind = DOLLARS.map((codes) => codes.flatMap((code) => samplesOf(quoted, currency, { code, value: dollars.get(code)?.now })));
    const samples = byKind.find(({ length }) => length > 0) ?? [];
    return samples.length > 0 ? [{ currency, samples }] : [];
  });
  return {
    rates: found.map(({ currency, samples }) => [currency, median(samples.map(({ rate }) => rate))]),
    venues: VENUE_IDS.filter((id) => found.some(({ samples }) => samples.some(({ venue }) => venue === id))),
  };
}

/** Returns what exchanges that trade a currency for a kind of dollars pay for one USD. `value`: USD for a unit of that kind. */
function samplesOf(quoted: readonly Quoted[], currency: string, { code, value }: { code: string; value: number | undefined }) {
  if (value === undefined) return [];
  return quoted.flatMap(({ venue, base, quote, price }) => {
    if (base === currency && quote === code) return [{ venue, rate: 1 / (price * value) }];
    return base === code && quote === currency ? [{ venue, rate: price / value }] : [];
  });
}
