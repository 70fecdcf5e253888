import type { AlertPeriod } from '#contract/alerts/alert.ts';
import type { Period } from '#contract/market/market.ts';
import type { CoinName } from '../market/coin.ts';
import type { Term } from './glossary/term.ts';
import type { Category } from './reading/asked-category.ts';
import type { When } from './reading/asked-time.ts';

/** A figure that a question can ask for. */
export type Metric = 'price' | 'change' | 'market_cap' | 'volume' | 'fully_diluted' | 'rank' | 'supply' | 'dominance';

/** The subject of a question. */
export type Kind =
  | 'greeting'
  | 'thanks'
  | 'farewell'
  | 'help'
  | 'source'
  | 'insult'
  /** What the app can do. */
  | 'app'
  /** How trading bots work. */
  | 'bots'
  /** What the user's own bots do. */
  | 'ownBots'
  /** The plans on offer. */
  | 'plans'
  /** The user's own plan, and what is left of it. */
  | 'ownPlan'
  /** Advice or prediction, which the analyst declines. */
  | 'advice'
  /** The reason for a move, which needs news. */
  | 'reason'
  /** An earlier price. */
  | 'past'
  /** The highest and the lowest price. */
  | 'extremes'
  /** Volatility and the largest fall. */
  | 'risk'
  | 'correlation'
  /** The result of a purchase. */
  | 'profit'
  /** Funding rate and open interest of perpetual futures. */
  | 'perpetual'
  | 'term'
  | 'levels'
  | 'movers'
  | 'top'
  | 'overview'
  | 'coins'
  | 'conversion'
  /** Sets a price alert. */
  | 'alert'
  /** Changes the watchlist. */
  | 'watch'
  /** Coins, and something about them that the rules do not know. */
  | 'unsure'
  /** A coin that is not listed. */
  | 'unlisted'
  | 'unknown';

/** What a question says about a purchase, USD. */
export interface Purchase {
  /** Price of one coin. */
  at?: number;
  spent?: number;
}

/** What a question says about an alert. */
export interface AskedAlert {
  /** USD. */
  price: number | undefined;
  /** The price, if its dot separates thousands. */
  thousands: number | undefined;
  percent: number | undefined;
  way: 'up' | 'down' | 'both' | undefined;
  period: AlertPeriod;
  /** The question names a period that alerts do not watch. */
  otherPeriod: boolean;
  ofWatchlist: boolean;
}

/** A parsed question, completed from the questions before it. */
export interface Query {
  kind: Kind;
  coins: readonly CoinName[];
  /** Names of unknown coins; only letters, digits, dots, dashes and spaces. */
  unlisted: readonly string[];
  metrics: readonly Metric[];
  period: Period | undefined;
  /** The question names a period without a known change. */
  otherPeriod: boolean;
  /** Days that the question is about; infinite for all time. */
  span: number | undefined;
  /** The day that the question is about. */
  when: When | undefined;
  purchase: Purchase;
  alert: AskedAlert | undefined;
  /** A change of the watchlist adds coins. */
  watched: boolean;
  /** The kind of coins that a list is about. */
  category: Category | undefined;
  /** Number of rows in a list. */
  count: number | undefined;
  side: 'up' | 'down' | 'both';
  /** Terms to explain; with coins, figures of them that are unknown. */
  terms: readonly Term[];
  /** Amount to convert: of the first coin, or of dollars. */
  amount: { value: number; unit: 'coin' | 'USD' } | undefined;
  inBitcoin: boolean;
  /** The question names a currency other than dollars and bitcoin. */
  otherCurrency: boolean;
}
