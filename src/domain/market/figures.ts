import { CURRENCIES } from '#contract/market/choices.ts';
import type { Currency, Quote, Quotes } from '#contract/market/market.ts';
import { formatCompact } from '../format/format-number.ts';

export interface Figure {
  value: number;
  currency: Currency;
}

const SIGN: Record<Currency, string> = { USD: '$', BTC: '₿' };

/** Quote of a coin without figures. */
export const NO_FIGURES: Quote = {
  price: null,
  market_cap: null,
  volume_24h: null,
  volume_change_24h: null,
  fully_diluted_market_cap: null,
  percent_change_1h: null,
  percent_change_24h: null,
  percent_change_7d: null,
  percent_change_30d: null,
  percent_change_60d: null,
  percent_change_90d: null,
};

/** Returns a figure in the wanted currency, or in the other one if it is missing. Undefined without either. */
export function figure(quote: Quotes, name: keyof Quote, wanted: Currency = 'USD'): Figure | undefined {
  for (const currency of wanted === 'USD' ? CURRENCIES : [...CURRENCIES].reverse()) {
    const value = quote[currency]?.[name];
    if (value != null) return { value, currency };
  }
  return undefined;
}

/** Returns `$1.9T` or `₿19.8M`, or a dash. */
export const formatAmount = (amount: Figure | undefined): string =>
  amount ? SIGN[amount.currency] + formatCompact(amount.value) : formatCompact(undefined);
