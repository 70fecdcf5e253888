import * as z from 'zod/mini';
import { answer } from '../envelope.ts';
import { coinId } from '../market/watchlist.ts';
import { isOneLine } from '../names.ts';
import { atMost } from '../text.ts';
import {
  ALERT_KINDS,
  ALERT_PERIODS,
  MAX_FALL,
  MAX_LEVEL_NAME,
  MAX_NOTE,
  MAX_PRICE,
  MAX_RISE,
  MIN_PERCENT,
  MIN_PRICE,
} from './alert-limits.ts';

/** Messages of the alert form. */
export const ALERT_MESSAGES = {
  price: 'Enter a price above 0 and at most 1 trillion USD',
  percent: `Enter a change from ${MIN_PERCENT}% to ${MAX_RISE}%, or a fall of up to ${MAX_FALL}%`,
  note: `Notes can have up to ${MAX_NOTE} characters`,
  oneLine: "Notes can't contain line breaks",
} as const;

const line = (max: number, error: string) => z.string().check(atMost(max, error), z.trim(), z.refine(isOneLine, ALERT_MESSAGES.oneLine));

export const alertPeriod = z.enum(ALERT_PERIODS);
export type AlertPeriod = z.infer<typeof alertPeriod>;

/** USD. */
const price = z.number(ALERT_MESSAGES.price).check(z.minimum(MIN_PRICE, ALERT_MESSAGES.price), z.maximum(MAX_PRICE, ALERT_MESSAGES.price));

/** Percent: above zero for a rise, below zero for a fall. */
const percent = z
  .number(ALERT_MESSAGES.percent)
  .check(z.refine((value) => Math.abs(value) >= MIN_PERCENT && value <= MAX_RISE && value >= -MAX_FALL, ALERT_MESSAGES.percent));

/** The id decides; name and symbol are what the user saw. */
const alertCoin = z.object({ id: coinId, name: z.string().check(atMost(200)), symbol: z.string().check(atMost(64)) });
export type AlertCoin = z.infer<typeof alertCoin>;

/** ISO 8601, UTC. */
const time = z.pipe(z.string().check(atMost(40)), z.iso.datetime());

const shared = {
  note: line(MAX_NOTE, ALERT_MESSAGES.note),
  /** Whether the alert fires again after the price has left the level. */
  rearms: z.boolean(),
  expires_at: z.nullable(time),
  paused: z.boolean(),
};

const priceRule = <Kind extends 'above' | 'below'>(kind: Kind) =>
  z.object({
    kind: z.literal(kind),
    coin: alertCoin,
    price,
    /** Name of the level at this price, such as "Resistance"; null for a price that the user typed. */
    level_name: z.nullable(line(MAX_LEVEL_NAME, `Names of levels can have up to ${MAX_LEVEL_NAME} characters`)),
    ...shared,
  });

/** `coin` is null for every coin of the watchlist. */
const percentRule = z.object({ kind: z.literal('percent'), coin: z.nullable(alertCoin), percent, period: alertPeriod, ...shared });

/** What the user sets of an alert. */
export const alertForm = z.discriminatedUnion('kind', [priceRule('above'), priceRule('below'), percentRule]);
export type AlertForm = z.infer<typeof alertForm>;

/**
 * PUT /alerts/{userId}/{id}, idempotent: creates or replaces an alert whose id the client made. `seen` is the price in USD, or the change in
 * percent, that the user saw: a level that has been crossed since then fires at once. Answers 400 `too_many_alerts` or `unknown_coin`.
 */
export const putAlertBody = z.object({ alert: alertForm, seen: z.nullable(z.number()) });
export type PutAlertBody = z.infer<typeof putAlertBody>;

/** POST /alerts/{userId}/{id}/pause, idempotent. A crossing while an alert is paused does not fire. */
export const pauseAlertBody = z.object({ paused: z.boolean() });

/**
 * `watching`: fires at the next crossing. `waiting`: the price is past the level, and has to leave it first. `done`: fired, and does not
 * fire again.
 */
export const ALERT_STATES = ['watching', 'waiting', 'done'] as const;

const kept = { id: z.string(), state: z.enum(ALERT_STATES), created_at: z.string(), fired_at: z.nullable(z.string()) };

/** An alert as stored. Times are ISO 8601 in UTC. */
export const alert = z.discriminatedUnion('kind', [
  z.extend(priceRule('above'), kept),
  z.extend(priceRule('below'), kept),
  z.extend(percentRule, kept),
]);
export type Alert = z.infer<typeof alert>;

export const alertAnswer = answer(alert);

/** GET /alerts/{userId}: newest first. */
export const alertsAnswer = answer(z.array(alert));

/** One firing of an alert. It stays when the alert is changed or deleted. */
export const firing = z.object({
  id: z.string(),
  alert_id: z.string(),
  kind: z.enum(ALERT_KINDS),
  coin: z.object({ id: z.number(), name: z.string(), symbol: z.string() }),
  /** USD, or percent for the kind `percent`. */
  level: z.number(),
  level_name: z.nullable(z.string()),
  period: z.nullable(alertPeriod),
  note: z.string(),
  /** USD, at the firing. */
  price: z.number(),
  /** Percent in the period; null for a price. */
  change: z.nullable(z.number()),
  /** Where the price comes from, shown to the user. */
  source: z.string(),
  at: z.string(),
});
export type Firing = z.infer<typeof firing>;

/** GET /alerts/{userId}/history: the latest 200, newest first. */
export const firingsAnswer = answer(z.array(firing));
