import { decimal } from './input-filters.ts';

/** Places that each unit moves the decimal point. */
const UNITS = { T: 12, B: 9, M: 6, K: 3 } as const;
type Unit = keyof typeof UNITS;
const units = Object.entries(UNITS) as [Unit, number][];

/** Longest amount in plain digits: every digit counts in a number. */
const MAX_DIGITS = 15;
const MAX_PASTED = 40;
/** Longest number in front of a unit that a field shows. */
const MAX_SHORT = 6;

/** Keeps an amount of 0 or more, with a unit at its end: `250k`, `1.5B`. */
export function amountInput(text: string): string {
  const start = text.slice(0, MAX_PASTED);
  const [, amount = start, unit = ''] = /^(.*?\d[\s.]*)([kmbt])/is.exec(start) ?? [];
  return decimal(amount).slice(0, MAX_DIGITS) + unit;
}

/** Returns the plain digits of `1.5B`: 1500000000. Undefined for text that is no amount, or too long for a number. */
export function expandAmount(text: string): string | undefined {
  if (text.length > MAX_DIGITS + 1) return undefined;
  const [, whole = '', fraction = '', unit = ''] = /^(\d+)\.?(\d*)([kmbt]?)$/i.exec(text) ?? [];
  if (whole === '') return undefined;
  const places = UNITS[unit.toUpperCase() as Unit] ?? 0;
  const rest = fraction.slice(places).replace(/0+$/, '');
  const plain = decimal(whole + fraction.slice(0, places).padEnd(places, '0')) + (rest && `.${rest}`);
  return plain.length > MAX_DIGITS ? undefined : plain;
}

/** Returns `1.5B` for 1500000000, and other amounts as they are. */
export function shortAmount(plain: string): string {
  for (const [unit, places] of units) {
    const short = String(Number(plain) / 10 ** places);
    if (short.length <= MAX_SHORT && Number(short) >= 1 && expandAmount(short + unit) === plain) return short + unit;
  }
  return plain;
}
