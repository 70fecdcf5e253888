import * as z from 'zod/mini';
import { answer } from '../envelope.ts';
import { ALERT_KINDS, ALERT_PERIODS } from './alert-limits.ts';

export const alertPeriod = z.enum(ALERT_PERIODS);
export type AlertPeriod = z.infer<typeof alertPeriod>;

/**
 * `watching`: fires at the next crossing. `waiting`: the price is past the level, and has to leave it first. `done`: fired, and does not
 * fire again.
 */
export const ALERT_STATES = ['watching', 'waiting', 'done'] as const;

const storedCoin = z.object({ id: z.number(), name: z.string(), symbol: z.string() });

const stored = {
  id: z.string(),
  note: z.string(),
  rearms: z.boolean(),
  expires_at: z.nullable(z.string()),
  paused: z.boolean(),
  state: z.enum(ALERT_STATES),
  created_at: z.string(),
  fired_at: z.nullable(z.string()),
};

/** An alert as stored. Times are ISO 8601 in UTC. */
export const alert = z.union([
  z.object({ ...stored, kind: z.enum(['above', 'below']), coin: storedCoin, price: z.number(), level_name: z.nullable(z.string()) }),
  z.object({ ...stored, kind: z.literal('percent'), coin: z.nullable(storedCoin), percent: z.number(), period: alertPeriod }),
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
  coin: storedCoin,
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
