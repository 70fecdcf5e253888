import type { Currency } from '#contract/market/market.ts';
import { formatBtc, formatUsd } from '#domain/format/format-number.ts';
import { type Figure, formatAmount } from '#domain/market/figures.ts';

/** A display currency. Figures arrive and are stored in USD. */
export interface Money {
  code: string;
  /** Units for one USD. */
  rate: number;
  /** Writes a price of this currency. */
  own: (price: number) => string;
  /** Writes a price in USD. */
  price: (usd: number | null | undefined) => string;
  /** Writes a large amount in USD. */
  amount: (usd: number) => string;
  /** The rate with its date, for the user. */
  note: string;
}

/** Undefined shows USD. It is set before the first render, and by the settings. */
let money: Money | undefined;
export const shownMoney = (): Money | undefined => money;
export function showMoney(next: Money | undefined): void {
  money = next;
}

/** Writes a price in the display currency, or in bitcoin. */
export const formatPrice = (value: number | null | undefined, currency: Currency = 'USD'): string =>
  (currency === 'BTC' ? formatBtc : (money?.price ?? formatUsd))(value);

/** Writes a large amount in the display currency, or in bitcoin; a dash without one. */
export const formatFigure = (figure: Figure | undefined): string =>
  (figure?.currency === 'USD' && money?.amount(figure.value)) || formatAmount(figure);
