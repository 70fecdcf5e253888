/** Input filters of spec §5: what is left of typed or pasted text in a number field. */

/** Digits only. */
export const digits = (text: string): string => text.replace(/\D/g, '');

/** Digits and one dot; leading zeros stripped, a leading dot becomes `0.`. */
export function decimal(text: string): string {
  const [whole = '', ...rest] = text.replace(/[^\d.]/g, '').split('.');
  const stripped = whole.replace(/^0+(?=\d)/, '');
  if (rest.length === 0) return stripped;
  return `${stripped || '0'}.${rest.join('')}`;
}

/** Digits with an optional leading minus. */
export const integer = (text: string): string => (text.trimStart().startsWith('-') ? '-' : '') + digits(text);
