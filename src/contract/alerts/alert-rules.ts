import * as z from 'zod/mini';
import { coinId } from '../market/watchlist.ts';
import { isOneLine } from '../names.ts';
import { atMost } from '../text.ts';
import { alertPeriod } from './alert.ts';
import { MAX_FALL, MAX_LEVEL_NAME, MAX_NOTE, MAX_PRICE, MAX_RISE, MIN_PERCENT, MIN_PRICE } from './alert-limits.ts';

/** Messages of the alert form. */
const ALERT_MESSAGES = {
  price: 'Enter a price above 0 and at most 1 trillion USD',
  percent: `Enter a change from ${MIN_PERCENT}% to ${MAX_RISE}%, or a fall of up to ${MAX_FALL}%`,
  note: `Notes can have up to ${MAX_NOTE} characters`,
  oneLine: "Notes can't contain line breaks",
} as const;

const line = (max: number, error: string) => z.string().check(atMost(max, error), z.trim(), z.refine(isOneLine, ALERT_MESSAGES.oneLine));

/** USD. */
const price = z.number(ALERT_MESSAGES.price).check(z.minimum(MIN_PRICE, ALERT_MESSAGES.price), z.maximum(MAX_PRICE, ALERT_MESSAGES.price));

/** Percent: above zero for a rise, below zero for a fall. */
const percent = z
  .number(ALERT_MESSAGES.percent)
  .check(z.refine((value) => Math.abs(value) >= MIN_PERCENT && value <= MAX_RISE && value >= -MAX_FALL, ALERT_MESSAGES.percent));

/** The id decides; name and symbol are what the user saw. */
const alertCoin = z.object({ id: coinId, name: z.string().check(atMost(200)), symbol: z.string().check(atMost(64)) });

/** ISO 8601, UTC. */
const time = z.pipe(z.string().check(atMost(40)), z.iso.datetime());

const shared = {
  note: line(MAX_NOTE, ALERT_MESSAGES.note),
  /** Whether the alert fires again after the price has left the level. */
  rearms: z.boolean(),
  expires_at: z.nullable(time),
  paused: z.boolean(),
};

export const priceRule = z.object({
  kind: z.enum(['above', 'below']),
  coin: alertCoin,
  price,
  /** Name of the level at this price, such as "Resistance"; null for a price that the user typed. */
  level_name: z.nullable(line(MAX_LEVEL_NAME, `Names of levels can have up to ${MAX_LEVEL_NAME} characters`)),
  ...shared,
});

/** `coin` is null for every coin of the watchlist. */
export const percentRule = z.object({ kind: z.literal('percent'), coin: z.nullable(alertCoin), percent, period: alertPeriod, ...shared });
