/** Codes with which the simulated exchange refuses, equal to Bybit's. */
export const REJECTS = {
  /** An invalid quantity or price, or a stop or target on the wrong side. */
  parameter: 10001,
  funds: 110007,
  unknownOrder: 110001,
  /** The order would reduce nothing. */
  reduceOnly: 110017,
  duplicate: 110072,
  /** The price has already passed the trigger: of a buy, of a sell. */
  triggerBelow: 110092,
  triggerAbove: 110093,
} as const;
