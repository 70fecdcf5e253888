import type { MarketSource } from '#contract/market/market.ts';
import { PRODUCT } from '#domain/product.ts';
import type { MarketCoin } from '#server/ports/market-data/market-data.ts';
import type { Query } from '../query.ts';
import { coinLine } from './coin.ts';
import { allPeriods, changeOf, coinName, list, moved, PERIOD_NAMES } from './format.ts';

const EXAMPLES =
  '"bitcoin price", "compare ETH and SOL", "top losers this week", "how is the market", "BTC support and resistance" or "what is leverage"';

const CONNECT =
  'Whoever runs this server can connect a language model for free talk: with the settings AI_BASE_URL, AI_API_KEY and AI_MODEL, for any endpoint that speaks the OpenAI chat protocol.';

export const answerGreeting = (): string => `Hello. I am ${PRODUCT}'s built-in analyst. Ask me for example ${EXAMPLES}.`;

export const answerThanks = (): string => 'You are welcome. Ask on whenever you like.';

export const answerHelp = (): string =>
  [
    `I am ${PRODUCT}'s built-in analyst: a set of rules over market figures, not a language model. I can give`,
    [
      `- a coin's price, its changes over ${allPeriods}, market cap, volume, rank and supply`,
      '- several coins side by side, and amounts from one coin into another or into dollars',
      '- top gainers and losers, the largest coins, and the market as a whole',
      '- support and resistance of Bitcoin',
      '- the meaning of common terms',
    ].join('\n'),
    `Try ${EXAMPLES}. I do not predict prices, do not advise what to buy or sell, and know no news.`,
    CONNECT,
  ].join('\n\n');

export const answerUnknown = ({ metrics, period }: Query): string =>
  [
    ...(metrics.length > 0 || period ? ['Which coin do you mean? Name it, or its symbol.'] : []),
    'I did not understand this, or it is nothing I can answer: I only know market figures of the coins listed here, levels of Bitcoin, and common terms.',
    `Try ${EXAMPLES}.`,
    CONNECT,
  ].join('\n\n');

export const answerSource = (source: MarketSource, market: readonly MarketCoin[]): string =>
  source.demo
    ? `My figures come from "${source.name}": the real figures of ${market.length} coins from that day, moved by a random walk as a demonstration. They are not live prices.`
    : `My figures come from ${source.name}, for ${market.length} coins.`;

/** Says no to prophecy and advice, and gives the figures there are instead. */
export const answerAdvice = (coins: readonly MarketCoin[]): string =>
  [
    "I don't predict prices and I don't advise what to buy, hold or sell: nobody knows where a price will go, and what suits you depends on what you can afford to lose.",
    ...(coins.length > 0
      ? ['What the figures say:', ...coins.slice(0, 4).map(coinLine)]
      : ['I can give you figures to decide with, such as changes, volume, or the levels of Bitcoin.']),
  ].join('\n\n');

export const answerReason = (coins: readonly MarketCoin[]): string =>
  [
    "I can't tell why a price moved: I see figures, no news.",
    ...coins.slice(0, 4).map(coinLine),
    ...(coins.length > 0 ? [] : ['I can show you what moved and how far.']),
  ].join('\n\n');

/** Earlier prices are only known as far as today's changes lead back to them. */
export function answerPast({ period }: Query, coins: readonly MarketCoin[]): string {
  const lines = coins.slice(0, 4).map((coin) => {
    const change = period && changeOf(coin, period);
    const price = coin.quote.USD.price;
    if (!period || typeof change !== 'number' || price === null) return coinLine(coin);
    return `${coinName(coin)} was at about **${approximately(price / (1 + change / 100))}** ${PERIOD_NAMES[period]} ago, reckoned from its change; it is ${moved(change)} since.`;
  });
  const head = period ? [] : [`I have no price history: only today's figures and the changes over ${allPeriods}.`];
  return [...head, ...lines].join('\n\n');
}

/** Three digits are all that a price reckoned back is good for. */
const approximately = (price: number): string => `$${new Intl.NumberFormat('en-US', { maximumSignificantDigits: 4 }).format(price)}`;

/** `names` are letters and digits only. */
export const answerUnlisted = (names: readonly string[], market: readonly MarketCoin[]): string =>
  `I don't know ${list(names.map((name) => `"${name}"`))}: it is not among the ${market.length} coins listed here, so I can't give figures of it.`;
