/** Why the simulated exchange says no, in Bybit's numbers. */
export const REJECTS = {
  /** A quantity or price that is none, or off its steps; a stop or target on the wrong side. */
  parameter: 10001,
  funds: 110007,
  unknownOrder: 110001,
  /** It would make nothing smaller. */
  reduceOnly: 110017,
  duplicate: 110072,
  /** A trigger that price is past already: above it for a buy, below it for a sell. */
  triggerBelow: 110092,
  triggerAbove: 110093,
} as const;
