import type { Period } from '#contract/market/market.ts';
import type { CoinName } from '../market-data/market-data.ts';
import type { Term } from './glossary/term.ts';

/** A figure that a question asks for. */
export type Metric = 'price' | 'change' | 'market_cap' | 'volume' | 'fully_diluted' | 'rank' | 'supply' | 'dominance';

/** What a question is about. */
export type Kind =
  | 'greeting'
  | 'thanks'
  | 'help'
  | 'source'
  /** Should I, will it, which is best: not ours to say. */
  | 'advice'
  /** Why did it move: needs news. */
  | 'reason'
  /** What it was once. */
  | 'past'
  | 'term'
  | 'levels'
  | 'movers'
  | 'top'
  | 'overview'
  | 'coins'
  | 'conversion'
  /** A coin that is not among those known. */
  | 'unlisted'
  | 'unknown';

/** What a question asks, with everything taken over from the questions before it. */
export interface Query {
  kind: Kind;
  coins: readonly CoinName[];
  /** Coins asked about that are not known, in letters, digits, dots, dashes and spaces only. */
  unlisted: readonly string[];
  metrics: readonly Metric[];
  period: Period | undefined;
  /** A stretch of time was named that no change covers. */
  otherPeriod: boolean;
  /** How many rows of a list. */
  count: number | undefined;
  side: 'up' | 'down' | 'both';
  /** To explain. With coins: figures of them that are not known. */
  terms: readonly Term[];
  /** To convert: an amount of the first coin, or of dollars into it. */
  amount: { value: number; unit: 'coin' | 'USD' } | undefined;
  inBitcoin: boolean;
  /** Money other than dollars and bitcoin was named. */
  otherCurrency: boolean;
}
