import { MINUTE } from '../clock.ts';

/** How long an exchange may not answer before the bot's user gets a notification, ms. */
export const SILENCE = 15 * MINUTE;

/** Days before a key expires at which its owner gets a notification, fewest first. */
export const KEY_WARN_DAYS = [1, 7, 14] as const;
