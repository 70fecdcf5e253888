import type { Indicator, IndicatorLevel } from '#contract/market/indicator.ts';
import { formatUsd } from '#domain/format/format-number.ts';

const SETUPS = { bounce: 'a bounce off a level', retest: 'the retest of a broken level' } as const;

/** What the strategy would do after the last closed candle, as one sentence. */
export function signalWords({ action, setup, stop, target }: Indicator['signal']): string {
  if (action === 'wait') return 'No entry right now.';
  const why = setup ? ` on ${SETUPS[setup]}` : '';
  const exits = [stop !== null && `stop ${formatUsd(stop)}`, target !== null && `target ${formatUsd(target)}`].filter(Boolean).join(', ');
  return `It would go ${action}${why}${exits && `: ${exits}`}.`;
}

/** Of the levels, those nearest to the price: at most `count` above it and as many below, from the highest down. */
export function nearestLevels(levels: readonly IndicatorLevel[], price: number, count: number): IndicatorLevel[] {
  const above = levels.filter((level) => level.price >= price).sort((a, b) => a.price - b.price);
  const below = levels.filter((level) => level.price < price).sort((a, b) => b.price - a.price);
  return [...above.slice(0, count).reverse(), ...below.slice(0, count)];
}

/** `strong`, `fair` or `weak`, against the strongest level there is. */
export const strengthWord = (strength: number): string => (strength >= 0.7 ? 'strong' : strength >= 0.4 ? 'fair' : 'weak');
