// Without zod, because screens load this file before the forms.

export const ALERT_KINDS = ['above', 'below', 'percent'] as const;

/** Periods of the percent changes that an alert can watch. */
export const ALERT_PERIODS = ['1h', '24h', '7d'] as const;

/** Alerts of one user. */
export const MAX_ALERTS = 100;
/** Those of them that watch the whole watchlist. */
export const MAX_WATCHLIST_ALERTS = 10;
/** Firings that are kept of one user. */
export const MAX_FIRINGS = 200;

/** USD. */
export const MIN_PRICE = 1e-15;
export const MAX_PRICE = 1e12;

/** Percent, without its sign. A fall is less than 100%. */
export const MIN_PERCENT = 1;
export const MAX_RISE = 1000;
export const MAX_FALL = 99;

export const MAX_NOTE = 200;
export const MAX_LEVEL_NAME = 60;
