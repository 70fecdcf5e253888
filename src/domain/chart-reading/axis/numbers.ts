/** A number as it is written: `units` × 10^`exponent`, which loses nothing. */
export interface Written {
  units: number;
  exponent: number;
}

/** Which mark is before the fraction: 1,234.56 or 1.234,56. */
export const MARKS = ['.', ','] as const;
export type Mark = (typeof MARKS)[number];

const FORMS: Readonly<Record<Mark, RegExp>> = {
  '.': /^[$€£]?(0|[1-9]\d*|[1-9]\d{0,2}(?:,\d{3})+)(?:\.(\d+))?([Kk]?)$/,
  ',': /^[$€£]?(0|[1-9]\d*|[1-9]\d{0,2}(?:\.\d{3})+)(?:,(\d+))?([Kk]?)$/,
};
/** A K after a number stands for thousands. Millions are volume. */
const THOUSANDS = 3;
/** More digits than these are not told apart from each other by a number of JavaScript. */
const MOST_DIGITS = 15;

/** What a text says if this mark is before fractions. Undefined where it is not written so; `1.250` may be either. */
export function numberIn(text: string, mark: Mark): Written | undefined {
  const match = FORMS[mark].exec(text);
  if (!match) return undefined;
  const [, whole = '', fraction = '', letter = ''] = match;
  const digits = whole.replace(/\D/g, '') + fraction;
  if (digits.length > MOST_DIGITS) return undefined;
  return { units: Number(digits), exponent: (letter ? THOUSANDS : 0) - fraction.length };
}
