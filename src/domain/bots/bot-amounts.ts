import { formatBtc, formatFixed, formatUsd, inCents } from '../format/format-number.ts';

/** Rounds USD to the cent that users see everywhere, halves away from zero. */
export function roundToCents(usd: number): number {
  const cents = Math.round(inCents(Math.abs(usd)));
  return cents === 0 ? 0 : (Math.sign(usd) * cents) / 100;
}

/** Adds amounts rounded to cents, so that a total matches the lines above it. */
export const sumOfCents = (amounts: readonly number[]): number =>
  amounts.reduce((cents, usd) => cents + Math.round(roundToCents(usd) * 100), 0) / 100;

/** Returns what rounding took from a sum of this many amounts, USD; 0 if the difference is too large to be rounding. */
export function fractionsOfCents(exact: number, sum: number, amounts: number): number {
  const rest = roundToCents(exact - sum);
  return Math.abs(rest) * 100 <= amounts ? rest : 0;
}

/** Formats an amount or a price of a bot: `$12.30`, `-$4.00`, or a dash for an unknown one. */
export const formatAmount = (usd: number | null): string => formatUsd(usd === null ? null : roundToCents(usd));

/** Formats a profit or loss with its sign: `+$12.30`, `-$4.00`. */
export const formatGain = (usd: number): string => `${roundToCents(usd) > 0 ? '+' : ''}${formatAmount(usd)}`;

/** Formats an amount for sentences: `1,012.30 USD`. */
export const spellAmount = (usd: number): string => `${formatFixed(roundToCents(usd), 2)} USD`;

/** Texts for the user's own money. Prices of the market are no amounts. */
export interface AmountTexts {
  amount: (usd: number) => string;
  gain: (usd: number) => string;
  /** In BTC. */
  quantity: (btc: number) => string;
  /** A sentence of the server with its amounts. */
  sentence: (text: string) => string;
}

export const SHOWN_AMOUNTS: AmountTexts = {
  amount: formatAmount,
  gain: formatGain,
  quantity: formatBtc,
  sentence: (text) => text,
};

const HIDDEN = '•••';
/** Numbers with their sign, and with the currency before or behind them, as any of the analyst's languages spells them. */
const NUMBERS = /[+-]?([$₿][ \u00a0]?)?\d(?:[\d.,\u00a0\u202f]*\d)?([ \u00a0](?:USDT?\b|BTC\b|[$₿]))?/g;

export const HIDDEN_AMOUNTS: AmountTexts = {
  amount: () => HIDDEN,
  gain: () => HIDDEN,
  quantity: () => HIDDEN,
  // Which numbers are amounts and which are prices is not told; a hidden price is no loss.
  sentence: (text) =>
    text.replace(NUMBERS, (number, before?: string, behind?: string) => (before || behind ? HIDDEN + (behind ?? '') : number)),
};
