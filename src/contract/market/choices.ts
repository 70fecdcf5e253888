// Without zod, because the first screen of the market loads this file.

export const CURRENCIES = ['USD', 'BTC'] as const;

/** Periods of percent changes, as in the quote's field names. */
export const PERIODS = ['1h', '24h', '7d', '30d', '60d', '90d'] as const;

/** Actions of the heart. */
export const WATCH = { add: 1, remove: 2 } as const;

/** Periods of a coin's chart. */
export const CHART_PERIODS = ['1D', '7D', '1M', '3M', '1Y', 'ALL'] as const;

/** Points of a coin's 7-day line. */
export const LINE_POINTS = 24;
