/** The loss from the highest equity that pauses entries, as a fraction. */
export const PAUSE_LOSS = 0.3;

/** Returns the loss that pauses a bot, as a fraction, below the loss at which it stops. `limit` is in percent. */
export const pauseBelow = (limit: number): number => Math.min(PAUSE_LOSS, (limit * 2) / 300);

/** Whether a bot has lost so much of its highest equity that it stops. `loss` is a fraction, `limit` is in percent. */
export const reachesLimit = (loss: number, limit: number): boolean => loss >= limit / 100;
