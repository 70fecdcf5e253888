/** Input filters of spec §5: what is left of typed or pasted text in a number field. */

/** Digits only. */
export const digits = (text: string): string => text.replace(/\D/g, '');

/** Digits of a position size or an investment, as many as the service takes. */
const MAX_SIZE = 9;
/** Characters of a pasted number that are read. */
const MAX_PASTED = 40;

/** A position size or an investment, whole USD. Cents of a pasted one are dropped: taken for digits, they would make it a hundred times as much. */
export const sizeFilter = (text: string): string => digits(text.slice(0, MAX_PASTED).replace(/[.,]\d{0,2}\D*$/, '')).slice(0, MAX_SIZE);

/** Digits and one dot; leading zeros stripped, a leading dot becomes `0.`. */
export function decimal(text: string): string {
  const [whole = '', ...rest] = text.replace(/[^\d.]/g, '').split('.');
  const stripped = whole.replace(/^0+(?=\d)/, '');
  if (rest.length === 0) return stripped;
  return `${stripped || '0'}.${rest.join('')}`;
}

/** Digits with an optional leading minus. */
export const integer = (text: string): string => (text.trimStart().startsWith('-') ? '-' : '') + digits(text);

/** A whole number kept within `min` and `max`; nothing and a lone minus stay as they are. */
function clamp(text: string, min: number, max: number): string {
  const value = Number.parseInt(text, 10);
  return Number.isNaN(value) ? text : String(Math.min(Math.max(value, min), max));
}

/** Longer than any price or market cap, and short enough for every digit to count. */
const MAX_AMOUNT = 15;

/** The market's filters by price and market cap: 0 or more. */
export const amountFilter = (text: string): string => decimal(text).slice(0, MAX_AMOUNT);

/** The filter by volume, in billions of dollars: 0 to 24, at most 2 characters. */
export const volumeFilter = (text: string): string => clamp(digits(text).slice(0, 2), 0, 24);

/** The filter by change, in percent: -100 to 100, at most 4 characters. */
export const changeFilter = (text: string): string => clamp(integer(text).slice(0, 4), -100, 100);
