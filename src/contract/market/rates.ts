import * as z from 'zod/mini';
import { answer } from '../envelope.ts';
import { DISPLAY_CURRENCIES } from './display-currencies.ts';

export const displayCurrency = z.enum(DISPLAY_CURRENCIES);
export type DisplayCurrency = z.infer<typeof displayCurrency>;

/** GET /coin-market/rates: units of each currency for one USD. */
export const currencyRates = z.object({
  /** Date of the rates, YYYY-MM-DD (UTC). */
  date: z.string(),
  /** Shown to the user, e.g. "European Central Bank reference rates". */
  source: z.string(),
  rates: z.record(displayCurrency, z.number()),
  /** The currencies whose rates have another date and source. */
  older: z.optional(z.object({ date: z.string(), source: z.string(), currencies: z.array(displayCurrency) })),
});
export type CurrencyRates = z.infer<typeof currencyRates>;
export const currencyRatesAnswer = answer(currencyRates);
