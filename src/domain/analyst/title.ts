import type { CoinName } from '../market/coin.ts';
import type { Metric, Query } from './query.ts';

const MAX_TITLE_LENGTH = 40;

const METRIC_TITLES: Record<Metric, string> = {
  price: 'price',
  change: 'performance',
  market_cap: 'market cap',
  volume: 'volume',
  fully_diluted: 'diluted value',
  rank: 'rank',
  supply: 'supply',
  dominance: 'dominance',
};

/** Returns a title of at most 40 characters: the subject if it was understood, else the first words. */
export const titleOf = (query: Query, question: string): string => cut(subjectOf(query) ?? firstWords(question));

/** Returns a title of at most 40 characters from the first words of a question. */
export const titleInOwnWords = (question: string): string => cut(firstWords(question));

function subjectOf({ kind, coins, terms, metrics, side, category }: Query): string | undefined {
  const names = coins.map(nameOf);
  const [first = ''] = names;
  switch (kind) {
    case 'coins':
    case 'past':
      if (names.length > 1) return names.length === 2 ? names.join(' vs ') : `${names.slice(0, 2).join(', ')} and more`;
      return metrics[0] ? `${first} ${METRIC_TITLES[metrics[0]]}` : first;
    case 'conversion':
      return `${first} conversion`;
    case 'levels':
      return `${first || 'Bitcoin'} support and resistance`;
    case 'extremes':
      return first ? `${first} high and low` : undefined;
    case 'risk':
      return first ? `${first} volatility` : undefined;
    case 'correlation':
      return names.length > 1 ? `${names.slice(0, 2).join(' and ')} correlation` : undefined;
    case 'profit':
      return first ? `${first} profit or loss` : undefined;
    case 'perpetual':
      return `${first || 'Bitcoin'} funding`;
    case 'advice':
      return first ? `${first} outlook` : 'Market outlook';
    case 'reason':
      return first ? `Why ${first} moved` : undefined;
    case 'movers':
      return { up: 'Top gainers', down: 'Top losers', both: 'Gainers and losers' }[side];
    case 'top':
      return `Top ${category?.name ?? 'coins'}`;
    case 'overview':
      return 'Market overview';
    case 'alert':
      return first ? `${first} alert` : 'Price alert';
    case 'watch':
      return 'Watchlist';
    case 'bots':
      return 'Trading bots';
    case 'ownBots':
      return 'My trading bots';
    case 'plans':
      return 'Plans';
    case 'ownPlan':
      return 'My plan';
    case 'term':
      return terms.map(({ name }) => name).join(', ');
    default:
      return undefined;
  }
}

const nameOf = ({ name, symbol }: CoinName): string => (name.length > 14 ? symbol : name.replace(/\s*[([].*$/, ''));

function firstWords(question: string): string {
  const text = question.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  return text ? text.charAt(0).toUpperCase() + text.slice(1) : 'New Chat';
}

/** Cuts at the end of a word if possible. */
function cut(title: string): string {
  const characters = [...title];
  if (characters.length <= MAX_TITLE_LENGTH) return title;
  const kept = characters.slice(0, MAX_TITLE_LENGTH - 1).join('');
  const space = kept.lastIndexOf(' ');
  return `${(space > MAX_TITLE_LENGTH / 2 ? kept.slice(0, space) : kept).replace(/[\s,.;:]+$/, '')}…`;
}
