// Without zod, because the first screen of the market loads this file.

export const CURRENCIES = ['USD', 'BTC'] as const;

/** Periods of percent changes, as in the quote's field names. */
export const PERIODS = ['1h', '24h', '7d', '30d', '60d', '90d'] as const;

/** Actions of the heart. */
export const WATCH = { add: 1, remove: 2 } as const;
