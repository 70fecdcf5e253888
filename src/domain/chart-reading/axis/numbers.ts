/** An exact decimal number: `units` × 10^`exponent`. */
export interface Written {
  units: number;
  exponent: number;
}

/** Decimal separators: 1,234.56 or 1.234,56. */
export const MARKS = ['.', ','] as const;
export type Mark = (typeof MARKS)[number];

const FORMS: Readonly<Record<Mark, RegExp>> = {
  '.': /^[$€£]?(0|[1-9]\d*|[1-9]\d{0,2}(?:,\d{3})+)(?:\.(\d+))?([Kk]?)$/,
  ',': /^[$€£]?(0|[1-9]\d*|[1-9]\d{0,2}(?:\.\d{3})+)(?:,(\d+))?([Kk]?)$/,
};
/** K multiplies by a thousand. M is for volume and refused. */
const THOUSANDS = 3;
/** Maximum digits that a JavaScript number holds exactly. */
const MAX_DIGITS = 15;

/** Parses a text with the given decimal separator. Undefined if it doesn't fit; `1.250` fits both separators. */
export function numberIn(text: string, mark: Mark): Written | undefined {
  const match = FORMS[mark].exec(text);
  if (!match) return undefined;
  const [, whole = '', fraction = '', letter = ''] = match;
  const digits = whole.replace(/\D/g, '') + fraction;
  if (digits.length > MAX_DIGITS) return undefined;
  return { units: Number(digits), exponent: (letter ? THOUSANDS : 0) - fraction.length };
}
