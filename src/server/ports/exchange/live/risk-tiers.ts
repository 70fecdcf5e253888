import type { RiskTier } from '#server/strategy/sizing.ts';
import { ExchangeError } from '../exchange.ts';

/** Shares that a maintenance margin can have. Exchanges ask for 0.4% to 50%. */
const PLAUSIBLE = { least: 0.002, most: 0.6 };

/** The tiers until the exchange has told its own: twice the margin that Bybit and OKX ask for a position of this value, USD. */
export const CAUTIOUS_TIERS: readonly RiskTier[] = [{ value: 1_000_000, quantity: Number.POSITIVE_INFINITY, maintenance: 0.01 }];

/**
 * Returns tiers with the smallest positions first. A missing tier is harmless: the next one asks for more.
 * @throws ExchangeError `unavailable` if the shares are impossible, or fall while positions grow
 */
export function orderTiers(tiers: readonly RiskTier[]): RiskTier[] {
  const ordered = [...tiers].sort((one, other) => one.value - other.value || one.quantity - other.quantity);
  const isPossible = ordered.every(({ maintenance }, index) => {
    const { least, most } = PLAUSIBLE;
    return maintenance >= Math.max(least, ordered[index - 1]?.maintenance ?? 0) && maintenance <= most;
  });
  if (!isPossible || ordered.length === 0) throw new ExchangeError('unavailable', "The exchange's maintenance margins are impossible.");
  return ordered;
}
