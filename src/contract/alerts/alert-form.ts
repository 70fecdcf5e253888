import * as z from 'zod/mini';
import { percentRule, priceRule } from './alert-rules.ts';

/** What the user sets of an alert. */
export const alertForm = z.discriminatedUnion('kind', [priceRule, percentRule]);
export type AlertForm = z.infer<typeof alertForm>;

/** The id decides; name and symbol are what the user saw. */
export type AlertCoin = NonNullable<AlertForm['coin']>;

/**
 * PUT /alerts/{userId}/{id}, idempotent: creates or replaces an alert whose id the client made. `seen` is the price in USD, or the change in
 * percent, that the user saw: a level that has been crossed since then fires at once. Answers 400 `too_many_alerts` or `unknown_coin`.
 */
export const putAlertBody = z.object({ alert: alertForm, seen: z.nullable(z.number()) });
export type PutAlertBody = z.infer<typeof putAlertBody>;

/** POST /alerts/{userId}/{id}/pause, idempotent. A crossing while an alert is paused does not fire. */
export const pauseAlertBody = z.object({ paused: z.boolean() });
