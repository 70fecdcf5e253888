import { MINUTE } from '../clock.ts';

/** How long a bot's exchange may be silent before its user is told, ms. */
export const SILENCE = 15 * MINUTE;

/** Days before the end of a key at which its owner is told, fewest first. */
export const KEY_WARN_DAYS = [1, 7, 14] as const;
