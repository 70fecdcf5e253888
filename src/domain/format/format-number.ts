/** Dash for `null`, a figure that the provider doesn't know. */
const UNKNOWN = '–';
/** Below one cent, two decimals would show $0.00, so four significant digits appear. */
const SMALLEST_TRUNCATED_USD = 0.01;
const SMALLEST_SIX_DECIMALS = 0.000001;
const LARGEST_WITH_CENTS = Number.MAX_SAFE_INTEGER / 100;

/** A number of so many digits is exact. */
const EXACT_DIGITS = 15;

// The first number that a page formats with Intl takes 60 ms on a slow phone, in the first render. So only rare ones use it. All round
// halves of the number's shortest text away from zero, as Intl does.

/** Returns the first `count` digits as a number, rounded. */
const roundedDigits = (digits: string, count: number): number =>
  Number(digits.slice(0, count).padEnd(count, '0')) + ((digits[count] ?? '0') >= '5' ? 1 : 0);

const group = (digits: string): string => digits.replace(/\B(?=(\d{3})+$)/g, ',');

/** Returns `1,234.50`: fixed decimals, thousands grouped. */
export function formatFixed(value: number, decimals: number): string {
  const [whole = '', fraction = ''] = Math.abs(value).toString().split('.');
  const count = whole.length + decimals;
  if (count > EXACT_DIGITS || /\D/.test(whole + fraction))
    return value.toLocaleString('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
  const digits = String(roundedDigits(whole + fraction, count)).padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  return (value < 0 ? '-' : '') + group(digits.slice(0, point)) + (decimals > 0 ? `.${digits.slice(point)}` : '');
}

/** Returns a positive number below 1 with at most four significant digits, without an exponent. */
function formatSignificant(amount: number): string {
  const [digits = '', exponent] = amount.toExponential().split('e');
  const text = String(Number(`${roundedDigits(digits.replace('.', ''), 4)}e${Number(exponent) - 3}`));
  return text.includes('e') ? amount.toLocaleString('en-US', { maximumSignificantDigits: 4 }) : text;
}

/** Returns an amount in cents, not rounded. Shifts the point of its shortest decimal text, because 1.13 * 100 is 112.99999999999999. */
export function inCents(amount: number): number {
  const [digits = '0', exponent = '0'] = amount.toString().split('e');
  return Number(`${digits}e${Number(exponent) + 2}`);
}

/** Truncates a positive amount to cents. Numbers too large to have cents stay: in cents they would lose digits. */
const truncateToCents = (amount: number): number => (amount >= LARGEST_WITH_CENTS ? amount : Math.trunc(inCents(amount)) / 100);

/** Returns `$1,234.56`: truncated to 2 decimals from one cent up, 4 significant digits below. */
export function formatUsd(price: number | null | undefined): string {
  if (price == null || !Number.isFinite(price)) return UNKNOWN;
  const amount = Math.abs(price);
  const sign = price < 0 ? '-' : '';
  if (amount !== 0 && amount < SMALLEST_TRUNCATED_USD) return `${sign}$${formatSignificant(amount)}`;
  return `${sign}$${formatFixed(truncateToCents(amount), 2)}`;
}

/** Returns `₿1` or `₿0.012345`: six decimals if fractional, 4 significant digits if those would all be zero. */
export function formatBtc(price: number | null | undefined): string {
  if (price == null || !Number.isFinite(price)) return UNKNOWN;
  const amount = Math.abs(price);
  const sign = price < 0 ? '-' : '';
  if (Number.isInteger(amount)) return `${sign}₿${formatFixed(amount, 0)}`;
  return `${sign}₿${amount < SMALLEST_SIX_DECIMALS ? formatSignificant(amount) : formatFixed(amount, 6)}`;
}

const UNITS = ['', 'K', 'M', 'B', 'T'];

/** Returns `2.0T`, `32.0B`, `4.2M` or `1.0K`: one decimal and a unit. Below a thousand, at most 2 decimals. */
export function formatCompact(value: number | null | undefined): string {
  if (value == null || !Number.isFinite(value)) return UNKNOWN;
  let amount = Math.abs(value);
  let unit = 0;
  // 999,950 would show 1000.0K, so the rounded figure decides the unit.
  while (unit < UNITS.length - 1 && Number(amount.toFixed(unit === 0 ? 2 : 1)) >= 1000) {
    amount /= 1000;
    unit++;
  }
  const shown = unit === 0 ? formatFixed(amount, 2).replace(/\.?0+$/, '') : amount.toFixed(1);
  return `${value < 0 && shown !== '0' ? '-' : ''}${shown}${UNITS[unit]}`;
}

/** Returns `1.31%` without a sign, because an arrow or a word shows the direction. */
export function formatPercent(change: number | null | undefined): string {
  return change == null || !Number.isFinite(change) ? UNKNOWN : `${Math.abs(change).toFixed(2)}%`;
}

/** Returns the direction of a change as displayed: 0.00% is `flat` and has no arrow. */
export function direction(change: number | null | undefined): 'up' | 'down' | 'flat' {
  const shown = Number((change ?? 0).toFixed(2));
  return shown > 0 ? 'up' : shown < 0 ? 'down' : 'flat';
}

const SIGNS = { up: '+', down: '-', flat: '' };

/** Returns `+1.31%` or `-1.31%`, for sentences. */
export const formatSignedPercent = (change: number | null | undefined): string =>
  change == null || !Number.isFinite(change) ? UNKNOWN : SIGNS[direction(change)] + formatPercent(change);

const MAX_SYMBOL = 6;
/** Returns at most six characters, counting what users see as one character as one. */
export const formatSymbol = (symbol: string): string => [...symbol].slice(0, MAX_SYMBOL).join('');
