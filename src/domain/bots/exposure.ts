import { figuresOf } from './backtest-figures.ts';

/** Share of a bot's money that a trade may lose at its stop. It decides the size of a position; the leverage only limits it. */
export const RISK_PER_TRADE = 0.015;

/** Returns the value of a position in multiples of the bot's money, all in USD; 0 without a position or money. */
export const exposureOf = (position: { quantity: number; mark_price: number } | null, equity: number): number =>
  position && equity > 0 ? (position.quantity * position.mark_price) / equity : 0;

/** Returns the usual multiples for a candle length, such as `0.3 to 1.3`; undefined if they were not measured. */
export function usualExposure(interval: string): string | undefined {
  const exposure = figuresOf(interval)?.exposure;
  return exposure && `${exposure.low} to ${exposure.high}`;
}

/** Explains why positions are smaller than the leverage allows. */
export function exposureReason(leverage: number, interval: string): string {
  const usual = usualExposure(interval);
  const size = usual === undefined ? 'smaller than the leverage allows' : `${usual} times that money`;
  return `A trade risks about ${RISK_PER_TRADE * 100}% of the bot's money at its stop, so positions are usually ${size}. ${leverage}x is the ceiling.`;
}
