import { chosenMoney, DISPLAY_CURRENCY } from '#client/platform/flags.ts';
import { DISPLAY_CURRENCIES } from '#contract/market/display-currencies.ts';
import type { CurrencyRates, DisplayCurrency } from '#contract/market/rates.ts';
import { formatCompact, formatUsd } from '#domain/format/format-number.ts';
import { type Money, showMoney } from './money.ts';

/** localStorage key: the last rates of the server. */
const RATES_KEY = 'display-rates';

/** Rates that are possible, units for one USD. */
const MIN_RATE = 1e-4;
const MAX_RATE = 1e6;
/** Digits of a product that are more than noise. */
const DIGITS = 12;
const MAX_SOURCE = 200;

const day = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' });
const SMALLEST_WHOLE = 1_000;
const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const four = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 4 });
const significant = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 6 });

const isCode = (code: unknown): code is DisplayCurrency => DISPLAY_CURRENCIES.some((known) => known === code);

/** Returns the display currency that the user chose on this device; undefined for USD. */
export function chosenCode(): DisplayCurrency | undefined {
  try {
    const code = chosenMoney();
    return isCode(code) ? code : undefined;
  } catch {
    return undefined; // storage is refused
  }
}

const isDated = (part: { date?: unknown; source?: unknown } | null): part is { date: string; source: string } =>
  typeof part?.date === 'string' &&
  !Number.isNaN(Date.parse(part.date)) &&
  typeof part.source === 'string' &&
  part.source.length <= MAX_SOURCE;

/** Returns the rates that the device has kept, or undefined. Other code may have written there, so every part is checked. */
export function keptRates(): CurrencyRates | undefined {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(RATES_KEY) ?? 'null');
    if (typeof kept !== 'object' || kept === null) return undefined;
    const { older, ...newer } = kept as Partial<CurrencyRates>;
    const { rates } = newer;
    if (!isDated(newer) || typeof rates !== 'object' || rates === null) return undefined;
    const { date, source } = newer;
    if (older === undefined) return { date, source, rates };
    return isDated(older) && Array.isArray(older.currencies) ? { date, source, rates, older } : undefined;
  } catch {
    return undefined;
  }
}

export function keepRates(rates: CurrencyRates): void {
  localStorage.setItem(RATES_KEY, JSON.stringify(rates));
}

export function keepCode(code: DisplayCurrency | undefined): void {
  if (code) localStorage.setItem(DISPLAY_CURRENCY, code);
  else localStorage.removeItem(DISPLAY_CURRENCY);
}

/** Creates a currency from rates; undefined without a usable rate. */
export function createMoney(code: DisplayCurrency, { older, ...newer }: CurrencyRates): Money | undefined {
  const rate = newer.rates[code];
  const { date, source } = older?.currencies.includes(code) ? older : newer;
  if (typeof rate !== 'number' || !(rate >= MIN_RATE && rate <= MAX_RATE)) return undefined;
  const sign = signOf(code);
  const own = new Intl.NumberFormat('en-US', { style: 'currency', currency: code });
  const digits = own.resolvedOptions().maximumFractionDigits ?? 2;
  const convert = (usd: number) => Number((usd * rate).toPrecision(DIGITS));
  const write = (price: number) => (digits === 0 ? wholeText(price, sign) : formatUsd(price).replace('$', sign));
  return {
    code,
    rate,
    own: write,
    price: (usd) => (usd == null || !Number.isFinite(usd) ? formatUsd(undefined) : write(convert(usd))),
    amount: (usd) => sign + formatCompact(convert(usd)),
    note: `1 USD = ${significant.format(rate)} ${code}, ${day.format(Date.parse(date))}, ${source}`,
  };
}

/** Writes an amount of a currency without cents: whole from 1,000, otherwise with the digits that tell prices apart. */
function wholeText(price: number, sign: string): string {
  const size = Math.abs(price);
  return `${price < 0 ? '-' : ''}${sign}${(size >= SMALLEST_WHOLE ? whole : four).format(size)}`;
}

/** The narrow sign of the Canadian and the Australian dollar would be that of the US dollar. */
function signOf(code: DisplayCurrency): string {
  const currencyDisplay = code === 'TRY' ? 'narrowSymbol' : 'symbol';
  const parts = new Intl.NumberFormat('en-US', { style: 'currency', currency: code, currencyDisplay }).formatToParts(0);
  const sign = parts.find(({ type }) => type === 'currency')?.value ?? code;
  return /[A-Z]$/.test(sign) ? `${sign}\u00a0` : sign;
}

/** Shows figures in the chosen currency, by the rates that the device has. Called before the first render. */
export function startMoney(): void {
  const code = chosenCode();
  const rates = code && keptRates();
  showMoney(code && rates ? createMoney(code, rates) : undefined);
}
