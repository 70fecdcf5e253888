import type { Coin } from '#domain/market/coin.ts';
import type { Query } from '../query.ts';
import { coinLine } from './coin.ts';
import { coinName, figureOf, list, totalCap } from './format.ts';

/** Explains terms, names figures that are missing for the coins, and gives Bitcoin's dominance. */
export function answerTerms({ terms }: Query, coins: readonly Coin[], market: readonly Coin[]): string {
  const missing = terms.filter(({ figure }) => figure === 'unknown').map(({ name }) => name);
  const bitcoin = market.find(({ symbol }) => symbol === 'BTC');
  const isAboutDominance = terms.some(({ name }) => name === 'Dominance');
  return [
    ...(coins.length > 0 && missing.length > 0 ? [`I don't have this figure for ${list(coins.map(coinName))}: ${list(missing)}.`] : []),
    ...terms.map(({ name, meaning }) => `**${name}.** ${meaning}`),
    ...(bitcoin && isAboutDominance
      ? [
          `${coinName(bitcoin)} makes up **${figureOf(bitcoin, 'dominance', { total: totalCap(market) })}** of the market cap of the ${market.length} coins listed here.`,
        ]
      : []),
    ...coins.slice(0, 2).map(coinLine),
  ].join('\n\n');
}
