import type { CurrencyRates, DisplayCurrency } from '#contract/market/rates.ts';
import type { MarketData, MoneyRates } from '#server/ports/market-data/market-data.ts';
import { REFERENCE } from './reference-table.ts';

/** Returns the rates of display currencies. */
export type Rates = () => Promise<CurrencyRates>;

/** Share by which an exchange's rate may differ from the table. The lira loses about a fifth of its value in a year. */
const MAX_OFF = 0.15;
const MAX_OFF_LIRA = 0.5;

/** Returns each day's first rates of the exchanges, or the table until there are some. */
export function createRates(market: Pick<MarketData, 'money'>): Rates {
  let kept = REFERENCE;
  return async () => {
    const money = market.money?.();
    if (money && money.asOf.slice(0, 10) > kept.date) kept = joined(money) ?? kept;
    return kept;
  };
}

/** Returns the rates of exchanges; the table's for currencies that have none, or one far from the table. Undefined if all are the table's. */
function joined({ asOf, source, rates }: MoneyRates): CurrencyRates | undefined {
  const isGood = (currency: DisplayCurrency): boolean => {
    const rate = rates.get(currency);
    const maxOff = currency === 'TRY' ? MAX_OFF_LIRA : MAX_OFF;
    return rate !== undefined && Math.abs(rate / REFERENCE.rates[currency] - 1) <= maxOff;
  };
  const currencies = Object.keys(REFERENCE.rates) as DisplayCurrency[];
  const others = currencies.filter((currency) => !isGood(currency));
  if (others.length === currencies.length) return undefined;
  const rateOf = (currency: DisplayCurrency) => Number((rates.get(currency) ?? 0).toPrecision(6));
  return {
    date: asOf.slice(0, 10),
    source,
    rates: Object.fromEntries(
      currencies.map((currency) => [currency, isGood(currency) ? rateOf(currency) : REFERENCE.rates[currency]]),
    ) as CurrencyRates['rates'],
    ...(others.length > 0 && { older: { date: REFERENCE.date, source: REFERENCE.source, currencies: others } }),
  };
}
