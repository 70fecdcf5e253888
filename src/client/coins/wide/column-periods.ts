import type { Period } from '#contract/market/market.ts';

/** Returns the periods with a column: an hour, a day, and the chosen period, or a week if that is one of them. */
export const columnPeriods = (period: Period): readonly Period[] => ['1h', '24h', period === '1h' || period === '24h' ? '7d' : period];
