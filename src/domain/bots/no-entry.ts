import { formatUsd } from '../format/format-number.ts';

/** The strategy's rules, in the order it checks them. */
export type EntryRule = 'warm-up' | 'trend' | 'direction' | 'no-level' | 'away' | 'lost';

/** The rule that forbade an entry, and how far the price was from allowing it. */
export interface NoEntry {
  rule: EntryRule;
  /** The side of the trend; null without one. */
  side: 'long' | 'short' | null;
  /** The nearest level, USD; null for rules without a level. */
  level: number | null;
  /** USD; null for rules that no price could have met. */
  distance: number | null;
}

/** Says why the strategy found no entry at a candle's close. */
export function noEntryText({ rule, side, level, distance }: NoEntry): string {
  const isLong = side === 'long';
  const gap = formatUsd(distance);
  switch (rule) {
    case 'warm-up':
      return 'The strategy needs more candles before its first entry.';
    case 'trend':
      return `No trend: the price was ${gap} from leaving the space between its two averages.`;
    case 'direction':
      return `The candle ${isLong ? 'fell' : 'rose'} by ${gap}, against the ${isLong ? 'uptrend' : 'downtrend'}.`;
    case 'no-level':
      return `The ${isLong ? 'uptrend' : 'downtrend'} has no level that is strong enough.`;
    case 'away':
      return `The price stayed ${gap} too far ${isLong ? 'above' : 'below'} the level at ${formatUsd(level)}.`;
    case 'lost':
      return `A candle closed ${gap} ${isLong ? 'below' : 'above'} the level at ${formatUsd(level)}.`;
  }
}
