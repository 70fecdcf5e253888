/** An access token is refreshed this many seconds before it expires. */
const MARGIN = 30;

/** Returns whether an access token can still be sent. `exp` is its claim, in seconds; `now` in ms. */
export const isFresh = (exp: number, now: number): boolean => exp - MARGIN > now / 1_000;
