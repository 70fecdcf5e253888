/** Currencies that amounts can be shown in, beside USD. */
export const DISPLAY_CURRENCIES = ['EUR', 'GBP', 'JPY', 'CHF', 'CAD', 'AUD', 'INR', 'BRL', 'KRW', 'TRY'] as const;
