import * as z from 'zod/mini';
import { alertPeriod } from '../alerts/alert.ts';
import { atMost, listOf } from '../text.ts';
import { MAX_CHOICE, MAX_CHOICES, MAX_COINS } from './offer-limits.ts';

/** Questions that an answer asks back, each a whole question that the app can ask as the user's own. */
export const choices = z.array(z.string().check(atMost(MAX_CHOICE))).check(listOf(MAX_CHOICES));

const coin = z.object({ id: z.number(), name: z.string(), symbol: z.string() });
const every = { note: z.string(), rearms: z.boolean(), expires_at: z.nullable(z.string()), paused: z.boolean() };

/** An alert as `alertForm` takes it, whose checks run where the alert is set. */
const offeredAlert = z.union([
  z.object({ ...every, kind: z.enum(['above', 'below']), coin, price: z.number(), level_name: z.nullable(z.string()) }),
  z.object({ ...every, kind: z.literal('percent'), coin: z.nullable(coin), percent: z.number(), period: alertPeriod }),
]);

/** What the user asked the app to do. The app does it only after the user confirms it, and never twice. */
export const action = z.union([
  /** Sets a price alert whose id is the message's. */
  z.object({ kind: z.literal('alert'), alert: offeredAlert }),
  /** Adds coins to the watchlist, or removes them. */
  z.object({ kind: z.literal('watch'), watched: z.boolean(), coins: z.array(coin).check(listOf(MAX_COINS, 1)) }),
]);
export type Action = z.infer<typeof action>;
