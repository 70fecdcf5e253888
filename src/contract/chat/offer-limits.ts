// Without zod, because the analyst's rules on the device load this file.

/** Questions that an answer asks back. */
export const MAX_CHOICES = 3;
/** Characters of one. */
export const MAX_CHOICE = 200;
/** Coins of one change of the watchlist. */
export const MAX_COINS = 10;
