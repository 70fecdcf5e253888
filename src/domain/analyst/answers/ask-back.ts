import { MAX_CHOICE, MAX_CHOICES } from '#contract/chat/offer-limits.ts';
import type { Coin, CoinName } from '#domain/market/coin.ts';
import { fold } from '#domain/text.ts';
import { findCoins } from '../coins/finder.ts';
import type { Query } from '../query.ts';
import type { Askable, Offer } from './commands.ts';
import { coinName, list, plain } from './format.ts';
import { WHICH_COIN } from './history.ts';

/** Returns at most three different choices that a question can hold. */
export const someChoices = (choices: readonly string[] = []): string[] =>
  [...new Set(choices)].filter((each) => each.length <= MAX_CHOICE).slice(0, MAX_CHOICES);

/** Returns coins as a question can write them, so that it finds the same coins again. */
export function askableOf(coins: readonly Coin[], names: readonly CoinName[]): Askable {
  const finds = (name: string, { id }: Coin) => {
    const { mentions } = findCoins(`${name} price`, names);
    return mentions.length === 1 && mentions[0]?.coin.id === id;
  };
  return coins.slice(0, MAX_CHOICES).flatMap((coin) => {
    const name = [plain(coin.name), `$${plain(coin.symbol)}`].find((each) => finds(each, coin));
    return name === undefined ? [] : [{ coin, name }];
  });
}

/** Returns the coins that share the symbol by which a question names a little-known coin. */
export function sharingSymbol(folded: string, [coin]: readonly CoinName[], names: readonly CoinName[]): readonly CoinName[] {
  if (!coin || (coin.rank !== null && coin.rank <= WELL_KNOWN) || folded.includes(fold(coin.name))) return [];
  const sharing = names.filter(({ symbol }) => fold(symbol) === fold(coin.symbol));
  return sharing.length > 1 ? sharing.slice(0, MAX_CHOICES) : [];
}
const WELL_KNOWN = 100;

/** Asks what to tell about coins, where the question does not say it. */
export const answerUnsure = (coins: Askable): Offer => ({
  text: `What do you want to know about ${list(coins.map(({ coin }) => coinName(coin)))}?`,
  choices:
    coins.length > 1
      ? comparisonsOf(coins)
      : coins.flatMap(({ name }) => [`${name} price`, `${name} support and resistance`, `How volatile is ${name}?`]),
});

const comparisonsOf = (coins: Askable): string[] => {
  const names = list(coins.map(({ name }) => name));
  return [`Compare ${names}`, `Volume of ${names}`, `Volatility of ${names}`];
};

const FIGURE_QUESTIONS: Record<Query['metrics'][number], string> = {
  price: 'price',
  change: '24h change',
  market_cap: 'market cap',
  volume: 'volume',
  fully_diluted: 'fully diluted market cap',
  rank: 'rank',
  supply: 'supply',
  dominance: 'dominance',
};

/** Returns questions with a coin for one that names none. `text` is the answer so far. */
export function coinChoices({ kind, metrics, period }: Query, text: string, others: () => Askable): string[] {
  if (kind === 'unknown' && !text.startsWith(WHICH_COIN))
    return [
      ...others()
        .slice(0, 1)
        .map(({ name }) => `${name} price`),
      'Top gainers today',
      'How is the market?',
    ];
  if (!text.startsWith(WHICH_COIN)) return kind === 'correlation' && text.startsWith('Which two coins') ? pairsOf(others()) : [];
  return others().map(({ name }) => {
    if (kind === 'extremes') return `${name} high and low this year`;
    if (kind === 'risk') return `How volatile is ${name}?`;
    if (metrics[0]) return `${name} ${FIGURE_QUESTIONS[metrics[0]]}`;
    return period ? `${name} ${period} change` : `${name} price`;
  });
}

function pairsOf(coins: Askable): string[] {
  const [first, ...rest] = coins;
  return first ? rest.map(({ name }) => `Correlation of ${first.name} and ${name}`) : [];
}
