/** Number formats of spec §9 and docs/decisions.md. `null` (a figure the provider does not know) shows as a dash. */
const UNKNOWN = '–';
/** Below one cent, two decimals would say $0.00: four significant digits instead. */
const SMALLEST_TRUNCATED_USD = 0.01;
const SMALLEST_SIX_DECIMALS = 0.000001;
const LARGEST_WITH_CENTS = Number.MAX_SAFE_INTEGER / 100;

const two = new Intl.NumberFormat('en-US', {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
  roundingMode: 'trunc',
} as Intl.NumberFormatOptions);
const significant = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 4 });
const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const six = new Intl.NumberFormat('en-US', { minimumFractionDigits: 6, maximumFractionDigits: 6 });

/**
 * Cuts after `decimals` places without rounding up. Works on the shortest decimal text of the number,
 * because 1.13 * 100 is 112.99999999999999.
 */
function truncate(value: number, decimals: number): number {
  // So large a number has no such places; shifted, it would lose the last of those it has.
  if (value >= LARGEST_WITH_CENTS) return value;
  const [digits = '0', exponent = '0'] = value.toString().split('e');
  const shifted = Math.trunc(Number(`${digits}e${Number(exponent) + decimals}`));
  return Number(`${shifted}e-${decimals}`);
}

/** `$1,234.56`: truncated to 2 decimals from one cent up, 4 significant digits below. */
export function formatUsd(price: number | null | undefined): string {
  if (price == null || !Number.isFinite(price)) return UNKNOWN;
  const amount = Math.abs(price);
  const sign = price < 0 ? '-' : '';
  if (amount !== 0 && amount < SMALLEST_TRUNCATED_USD) return `${sign}$${significant.format(amount)}`;
  return `${sign}$${two.format(truncate(amount, 2))}`;
}

/** `₿1` or `₿0.012345`: six decimals when fractional, 4 significant digits where those would all be zero. */
export function formatBtc(price: number | null | undefined): string {
  if (price == null || !Number.isFinite(price)) return UNKNOWN;
  const amount = Math.abs(price);
  const sign = price < 0 ? '-' : '';
  if (Number.isInteger(amount)) return `${sign}₿${whole.format(amount)}`;
  return `${sign}₿${(amount < SMALLEST_SIX_DECIMALS ? significant : six).format(amount)}`;
}

const UNITS = ['', 'K', 'M', 'B', 'T'];
const plain = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });

/** `2.0T`, `32.0B`, `4.2M`, `1.0K`: one decimal and a unit; below a thousand, at most 2 decimals and none. */
export function formatCompact(value: number | null | undefined): string {
  if (value == null || !Number.isFinite(value)) return UNKNOWN;
  let amount = Math.abs(value);
  let unit = 0;
  // 999,950 would read 1000.0K: the unit is that of the rounded figure.
  while (unit < UNITS.length - 1 && Number(amount.toFixed(unit === 0 ? 2 : 1)) >= 1000) {
    amount /= 1000;
    unit++;
  }
  const shown = unit === 0 ? plain.format(amount) : amount.toFixed(1);
  return `${value < 0 && shown !== '0' ? '-' : ''}${shown}${UNITS[unit]}`;
}

/** `1.31%` without a sign: an arrow or a word beside it gives the direction. */
export function formatPercent(change: number | null | undefined): string {
  return change == null || !Number.isFinite(change) ? UNKNOWN : `${Math.abs(change).toFixed(2)}%`;
}

/** Which way a change points as it is shown: what reads 0.00% is `flat`, and hides the arrow (spec §2, coin details). */
export function direction(change: number | null | undefined): 'up' | 'down' | 'flat' {
  const shown = Number((change ?? 0).toFixed(2));
  return shown > 0 ? 'up' : shown < 0 ? 'down' : 'flat';
}

const SIGNS = { up: '+', down: '-', flat: '' };

/** `+1.31%` or `-1.31%`, for running text. */
export const formatSignedPercent = (change: number | null | undefined): string =>
  change == null || !Number.isFinite(change) ? UNKNOWN : SIGNS[direction(change)] + formatPercent(change);

/** Volume over market cap in percent with two decimals; unknown without a cap. */
export function formatVolumeToCap(volume: number | null | undefined, cap: number | null | undefined): string {
  return volume == null || !cap ? UNKNOWN : `${((volume / cap) * 100).toFixed(2)}%`;
}

const MAX_SYMBOL = 6;
/** At most six characters, counted as a person counts them. */
export const formatSymbol = (symbol: string): string => [...symbol].slice(0, MAX_SYMBOL).join('');
