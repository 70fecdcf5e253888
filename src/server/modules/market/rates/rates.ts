import type { CurrencyRates } from '#contract/market/rates.ts';
import { REFERENCE } from './reference-table.ts';

/** Returns the rates of display currencies. */
export type Rates = () => Promise<CurrencyRates>;

export const createRates = (): Rates => async () => REFERENCE;
