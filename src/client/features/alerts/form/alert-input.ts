import type { AlertPeriod } from '#contract/alerts/alert.ts';
import type { AlertCoin, AlertForm } from '#contract/alerts/alert-form.ts';
import { MAX_FALL, MAX_NOTE, MAX_PRICE, MAX_RISE, MIN_PERCENT, MIN_PRICE } from '#contract/alerts/alert-limits.ts';
import { isOneLine } from '#contract/names.ts';
import { formatSignedPercent, formatUsd } from '#domain/format/format-number.ts';

export type Way = 'above' | 'below' | 'rises' | 'falls';

/** The fields of the alert form, as typed. */
export interface AlertInput {
  way: Way;
  /** USD or percent. */
  amount: string;
  period: AlertPeriod;
  note: string;
  rearms: boolean;
  /** In the device's time zone, such as `2026-11-25T14:05`; empty for never. */
  expires: string;
}

/** What the form knows of the coin. Null and undefined where the device does not know it. */
export interface Facts {
  /** Null for the whole watchlist. */
  coin: AlertCoin | null;
  /** USD. */
  price?: number | null | undefined;
  /** Percent by period. */
  changes?: Partial<Record<AlertPeriod, number | null>> | undefined;
  /** The alert that is edited. */
  before?: AlertForm | undefined;
  /** Levels that the form offers. */
  levels?: readonly { name: string; price: number }[];
  /** ms. */
  now: number;
}

export type InputErrors = Partial<Record<keyof AlertInput, string>>;

export const isPrice = (way: Way): boolean => way === 'above' || way === 'below';

/** Digits with a dot, and commas only between thousands: "61.250,5" is refused instead of read as another price. */
const AMOUNT = /^(\d+|\d{1,3}(,\d{3})+)?(\.\d+)?$/;
const MAX_TYPED = 40;

/** Reads a typed amount. Undefined for anything that is no plain number. */
export function readAmount(text: string): number | undefined {
  const plain = text.length > MAX_TYPED ? '' : text.replace(/^\s*\$?\s*|\s*%?\s*$/g, '');
  return plain !== '' && AMOUNT.test(plain) ? Number(plain.replaceAll(',', '')) : undefined;
}

/** Returns the alert, or what is wrong with each field. */
export function readInput(input: AlertInput, facts: Facts): { alert: AlertForm } | { errors: InputErrors } {
  const amount = readAmount(input.amount);
  const expires = input.expires === '' ? null : Date.parse(input.expires);
  const errors: InputErrors = {
    ...fieldError('amount', amountError(input, amount, facts)),
    ...fieldError('note', noteError(input.note)),
    ...fieldError('expires', expiresError(expires, facts)),
  };
  if (amount === undefined || Object.keys(errors).length > 0) return { errors };
  const shared = {
    note: input.note.trim(),
    rearms: input.rearms,
    expires_at: expires === null ? null : new Date(expires).toISOString(),
    paused: false,
  };
  if (input.way === 'above' || input.way === 'below') {
    if (!facts.coin) return { errors: { way: 'Choose a change in percent for the whole watchlist' } };
    const level_name = facts.levels?.find(({ price }) => priceText(price) === priceText(amount))?.name ?? null;
    return { alert: { ...shared, kind: input.way, coin: facts.coin, price: amount, level_name } };
  }
  const percent = input.way === 'rises' ? amount : -amount;
  return { alert: { ...shared, kind: 'percent', coin: facts.coin, percent, period: input.period } };
}

const fieldError = (field: keyof AlertInput, error: string | undefined): InputErrors => (error ? { [field]: error } : {});

function amountError({ way, period }: AlertInput, amount: number | undefined, facts: Facts): string | undefined {
  if (amount === undefined) return isPrice(way) ? 'Enter a price in USD, such as 61250.50' : 'Enter a change in percent, such as 5';
  if (isPrice(way)) {
    if (amount < MIN_PRICE || amount > MAX_PRICE) return 'Enter a price above 0 and at most 1 trillion USD';
    return isUnchanged(way, amount, facts) ? undefined : pastPrice(way, amount, facts.price);
  }
  const max = way === 'rises' ? MAX_RISE : MAX_FALL;
  if (amount < MIN_PERCENT || amount > max) return `Enter a change from ${MIN_PERCENT}% to ${max}%`;
  const change = facts.changes?.[period];
  if (facts.coin === null || change == null || isUnchanged(way, amount, facts)) return undefined;
  const isPast = way === 'rises' ? change >= amount : change <= -amount;
  return isPast ? `The change in ${period} is already ${formatSignedPercent(change)}. Enter a larger one` : undefined;
}

function pastPrice(way: Way, amount: number, price: number | null | undefined): string | undefined {
  if (price == null) return undefined;
  if (way === 'above' && price >= amount) return `The price is already ${formatUsd(price)}. Enter a higher price, or choose Below`;
  if (way === 'below' && price <= amount) return `The price is already ${formatUsd(price)}. Enter a lower price, or choose Above`;
  return undefined;
}

/** An edited alert can keep a level that the price has passed. */
function isUnchanged(way: Way, amount: number, { before }: Facts): boolean {
  if (!before) return false;
  const { way: old, amount: text } = inputOf(before);
  return old === way && text === priceText(amount);
}

function noteError(note: string): string | undefined {
  if (note.length > MAX_NOTE) return `Shorten the note to ${MAX_NOTE} characters. It has ${note.length}`;
  return isOneLine(note.trim()) ? undefined : "Notes can't contain line breaks";
}

function expiresError(expires: number | null, { now }: Facts): string | undefined {
  if (expires === null) return undefined;
  if (Number.isNaN(expires)) return 'Enter a day and a time';
  return expires > now ? undefined : 'Choose a time in the future';
}

/** Returns a number as a field shows it, without an exponent. */
export const priceText = (value: number): string => {
  const text = String(value);
  return text.includes('e') ? value.toFixed(20).replace(/\.?0+$/, '') : text;
};

/** Returns an alert's fields as typed. */
export function inputOf(alert: AlertForm): AlertInput {
  const { note, rearms, expires_at } = alert;
  const shared = { note, rearms, expires: expires_at === null ? '' : localTime(Date.parse(expires_at)), period: '24h' as const };
  if (alert.kind !== 'percent') return { ...shared, way: alert.kind, amount: priceText(alert.price) };
  const { percent, period } = alert;
  return { ...shared, period, way: percent > 0 ? 'rises' : 'falls', amount: priceText(Math.abs(percent)) };
}

/** Returns a time as a `datetime-local` field has it. */
export function localTime(time: number): string {
  const offset = new Date(time).getTimezoneOffset() * 60_000;
  return new Date(time - offset).toISOString().slice(0, 16);
}
