import { type Plan, UNLIMITED } from './plans.ts';

/** A question with a picture uses a chart analysis, any other a general question. */
export type AllowanceKind = 'question' | 'chart';

/** Unreadable pictures, and pictures without a chart, that are free per user and day (UTC). */
export const FREE_PICTURES_A_DAY = 3;

/** Returns the month (UTC) of `now`, ms: YYYY-MM. */
export const monthOf = (now: number): string => new Date(now).toISOString().slice(0, 7);

/** Returns the plan's monthly limit, or UNLIMITED. */
export const limitOf = (plan: Plan, kind: AllowanceKind): number => (kind === 'chart' ? plan.chartAnalyses : plan.questions);

/** Returns the rest of `limit`, or UNLIMITED. */
export const leftOf = (limit: number, used: number): number => (limit === UNLIMITED ? UNLIMITED : Math.max(0, limit - used));
