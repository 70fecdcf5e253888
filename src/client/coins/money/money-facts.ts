import type { Currency } from '#contract/market/market.ts';
import { shownMoney } from './money.ts';

/** Names the currency that figures in `currency` are shown in. */
export const shownCode = (currency: Currency): string => (currency === 'USD' ? (shownMoney()?.code ?? currency) : currency);

/** Units of the shown currency for one of `currency`. */
export const rateOf = (currency: Currency): number => (currency === 'USD' ? (shownMoney()?.rate ?? 1) : 1);
