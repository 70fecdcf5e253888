import { expandAmount } from '../format/amount-input.ts';

/** Digits of a converted amount: enough for any coin, and no noise of binary fractions. */
const DIGITS = 8;
/** Longest fraction that `toFixed` of a small number shows. */
const MAX_DECIMALS = 20;
/** From here on, `toFixed` has an exponent. */
const TOO_LARGE = 1e21;

/** Returns the number of a typed amount such as `.5` or `250k`; undefined for other text. */
function amountOf(typed: string): number | undefined {
  const text = typed.trim();
  const plain = expandAmount(/^\.\d/.test(text) ? `0${text}` : text);
  return plain === undefined ? undefined : Number(plain);
}

/** Whether a typed text is an amount of 0 or more. */
export const isAmount = (typed: string): boolean => amountOf(typed) !== undefined;

/**
 * Converts a typed amount by a price: `times` the price, or divided `by` it. Returns plain digits with a dot; empty text for
 * text that is no amount, an unknown price, or a result that is too large.
 */
export function convert(typed: string, way: 'times' | 'by', price: number | undefined): string {
  const amount = amountOf(typed);
  if (amount === undefined || price === undefined || !(price > 0)) return '';
  const result = way === 'times' ? amount * price : amount / price;
  if (!Number.isFinite(result) || result >= TOO_LARGE) return '';
  if (result === 0) return '0';
  const decimals = Math.max(DIGITS - 1 - Math.floor(Math.log10(result)), result >= 1 ? 2 : 0);
  const text = result.toFixed(Math.min(decimals, MAX_DECIMALS));
  return text.includes('.') ? text.replace(/0+$/, '').replace(/\.$/, '') : text;
}
