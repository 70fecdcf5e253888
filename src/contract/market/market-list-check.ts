import type * as z from 'zod/mini';
import { LINE_POINTS } from './choices.ts';
import type { marketListAnswer, Quote } from './market.ts';

const FIGURES = Object.keys({
  price: true,
  market_cap: true,
  volume_24h: true,
  volume_change_24h: true,
  fully_diluted_market_cap: true,
  percent_change_1h: true,
  percent_change_24h: true,
  percent_change_7d: true,
  percent_change_30d: true,
  percent_change_60d: true,
  percent_change_90d: true,
} satisfies Record<keyof Quote, true>);

type Fields = Record<string, unknown>;

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown) => typeof value === 'string';
// JSON has numbers that JavaScript reads as infinite.
const isNumber = (value: unknown) => Number.isFinite(value);
const isFigure = (value: unknown) => value === null || isNumber(value);
const isAbsent = (value: unknown) => value === undefined;

const isQuote = (value: unknown) => isAbsent(value) || (isObject(value) && FIGURES.every((name) => isFigure(value[name])));
const isLine = (value: unknown) =>
  isAbsent(value) || value === null || (Array.isArray(value) && value.length === LINE_POINTS && value.every(isNumber));

const isCoin = (value: unknown) =>
  isObject(value) &&
  isNumber(value.id) &&
  isText(value.symbol) &&
  isText(value.name) &&
  isFigure(value.rank) &&
  isObject(value.quote) &&
  isQuote(value.quote.USD) &&
  isQuote(value.quote.BTC) &&
  isLine(value.line_7d);

const isSource = (value: unknown) =>
  isObject(value) &&
  isText(value.name) &&
  typeof value.demo === 'boolean' &&
  isText(value.asOf) &&
  (isAbsent(value.stale) || typeof value.stale === 'boolean');

const isList = (value: unknown) =>
  isObject(value) &&
  Array.isArray(value.data) &&
  value.data.every(isCoin) &&
  isSource(value.source) &&
  (isAbsent(value.matches) || isNumber(value.matches));

/**
 * `marketListAnswer` without zod, whose code would delay the first row of a cold start: it accepts the same answers. Fields that it does
 * not know stay.
 */
export const marketListCheck = {
  safeParse: (json: unknown) =>
    isObject(json) && isNumber(json.status) && isList(json.data)
      ? { success: true as const, data: json as z.infer<typeof marketListAnswer> }
      : { success: false as const },
};
