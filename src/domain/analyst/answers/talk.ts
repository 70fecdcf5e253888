import type { MarketSource } from '#contract/market/market.ts';
import type { Coin } from '#domain/market/coin.ts';
import { PRODUCT } from '#domain/product.ts';
import type { Query } from '../query.ts';
import { coinLine } from './coin.ts';
import { allPeriods, list } from './format.ts';
import { WHICH_COIN } from './history.ts';

const EXAMPLES =
  '"bitcoin price", "compare ETH and SOL", "top meme coins this week", "how is the market", "SOL support and resistance", "I bought 2 ETH at $1,500" or "what is leverage"';

export const answerGreeting = (): string => `Hello. I am ${PRODUCT}'s built-in analyst. Ask me for example ${EXAMPLES}.`;

export const answerFarewell = (): string => 'Goodbye. Come back whenever you have a question.';

export const answerThanks = (): string => 'You are welcome. Ask me anything else.';

export const answerHelp = (): string =>
  [
    `I am ${PRODUCT}'s built-in analyst: a set of rules over market figures, not a language model. I can give`,
    [
      `- a coin's price, its changes over ${allPeriods}, market cap, volume, rank and supply`,
      '- several coins side by side, and amounts from one coin into another or into dollars',
      '- top gainers and losers, the largest coins, also of one kind such as meme coins, and the market as a whole',
      '- support and resistance, highs and lows, volatility, the largest fall and the close of a day, from daily candles',
      '- the correlation of two coins, and the profit or loss of a purchase',
      '- the meaning of common terms',
    ].join('\n'),
    `Try ${EXAMPLES}. I don't predict prices, advise what to buy or sell, or follow the news.`,
  ].join('\n\n');

export const answerUnknown = ({ metrics, period }: Query): string =>
  metrics.length > 0 || period
    ? WHICH_COIN
    : "I can't answer that yet. I know figures and daily candles of the coins listed here, and common terms. Ask for example:";

export const answerSource = (source: MarketSource, market: readonly Coin[]): string =>
  source.demo
    ? `My figures come from "${source.name}". They are demo data: the real figures of ${market.length} coins from that day, changed by a random walk. They are not live prices.`
    : `My figures come from ${source.name}, for ${market.length} coins.`;

/** Declines predictions and advice, and offers figures instead. */
export const answerAdvice = (coins: readonly Coin[]): string =>
  [
    "I don't predict prices or advise what to buy, hold or sell. No one knows where a price will go. Never risk more than you can afford to lose.",
    ...(coins.length > 0
      ? ['What the figures say:', ...coins.slice(0, 4).map(coinLine)]
      : ['I can show figures that help you decide, such as changes, volume, volatility or levels.']),
  ].join('\n\n');

export const answerReason = (coins: readonly Coin[]): string =>
  [
    "I have no news data, so I can't say why it moved.",
    ...coins.slice(0, 4).map(coinLine),
    ...(coins.length > 0 ? [] : ['I can show you what moved and how far.']),
  ].join('\n\n');

/** Answers for coins that are not listed. `names` contain only letters and digits. */
export const answerUnlisted = (names: readonly string[], market: readonly Coin[]): string =>
  `I don't know ${list(names.map((name) => `"${name}"`))}. I only have figures for the ${market.length} coins listed here.`;
