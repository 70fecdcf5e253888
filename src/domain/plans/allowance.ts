import { type Plan, UNLIMITED } from './plans.ts';

/** What a question uses up: one with a picture a chart analysis, any other a general question. */
export type AllowanceKind = 'question' | 'chart';

/** Pictures that show no chart or cannot be read and are not counted, for each user and day (UTC). */
export const FREE_PICTURES_A_DAY = 3;

/** The month (UTC) that a question asked at `now`, ms, counts for: YYYY-MM. */
export const monthOf = (now: number): string => new Date(now).toISOString().slice(0, 7);

/** The day (UTC) of `now`, ms: YYYY-MM-DD. */
export const dayOf = (now: number): string => new Date(now).toISOString().slice(0, 10);

/** How many a month the plan allows, or UNLIMITED. */
export const limitOf = (plan: Plan, kind: AllowanceKind): number => (kind === 'chart' ? plan.chartAnalyses : plan.questions);

/** How many of `limit` are left, or UNLIMITED. */
export const leftOf = (limit: number, used: number): number => (limit === UNLIMITED ? UNLIMITED : Math.max(0, limit - used));
