/** Filters of number fields: each returns the valid part of typed or pasted text. */

/** Keeps digits. */
export const digits = (text: string): string => text.replace(/\D/g, '');

/** Maximum digits of a position size or an investment, as the service accepts. */
const MAX_SIZE = 9;
/** Maximum characters of a pasted number. */
const MAX_PASTED = 40;

/** Keeps the whole USD of a size or an investment. Drops cents, which would multiply a pasted amount by 100. */
export const sizeFilter = (text: string): string => digits(text.slice(0, MAX_PASTED).replace(/[.,]\d{0,2}\D*$/, '')).slice(0, MAX_SIZE);

/** Keeps digits and one dot. Strips leading zeros; a leading dot becomes `0.`. */
export function decimal(text: string): string {
  const [whole = '', ...rest] = text.replace(/[^\d.]/g, '').split('.');
  const stripped = whole.replace(/^0+(?=\d)/, '');
  if (rest.length === 0) return stripped;
  return `${stripped || '0'}.${rest.join('')}`;
}

/** Keeps digits and a leading minus. */
export const integer = (text: string): string => (text.trimStart().startsWith('-') ? '-' : '') + digits(text);

/** Limits a whole number. Empty text and a lone minus stay. */
function clamp(text: string, min: number, max: number): string {
  const value = Number.parseInt(text, 10);
  return Number.isNaN(value) ? text : String(Math.min(Math.max(value, min), max));
}

/** Longer than any price or market cap, and short enough for every digit to count. */
const MAX_AMOUNT = 15;

/** Price and market cap filters: 0 or more. */
export const amountFilter = (text: string): string => decimal(text).slice(0, MAX_AMOUNT);

/** Volume filter, in billions of dollars: 0 to 24, at most 2 characters. */
export const volumeFilter = (text: string): string => clamp(digits(text).slice(0, 2), 0, 24);

/** Change filter, in percent: -100 to 100, at most 4 characters. */
export const changeFilter = (text: string): string => clamp(integer(text).slice(0, 4), -100, 100);
