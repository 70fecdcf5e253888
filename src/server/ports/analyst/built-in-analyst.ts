import type { ChartReading } from '#contract/chat/chart-reading.ts';
import { describeReading, isChart, marksOf } from '#domain/chart-reading/describe-reading.ts';
import { fold } from '#domain/text.ts';
import { BITCOIN, type CoinName, type MarketCoin, type MarketData, type MarketSnapshot } from '../market-data/market-data.ts';
import type { Analyst, Picture, Reply, Turn } from './analyst.ts';
import { answerBots, answerInsult, answerPlan } from './answers/app.ts';
import { answerCoins } from './answers/coin.ts';
import { answerConversion } from './answers/conversion.ts';
import { answerCorrelation, answerExtremes, answerPast, answerRisk } from './answers/history.ts';
import { answerLevels } from './answers/levels.ts';
import { answerMovers, answerOverview, answerTop } from './answers/lists.ts';
import { answerProfit } from './answers/profit.ts';
import { ending, RISK } from './answers/stamp.ts';
import {
  answerAdvice,
  answerGreeting,
  answerHelp,
  answerReason,
  answerSource,
  answerThanks,
  answerUnknown,
  answerUnlisted,
} from './answers/talk.ts';
import { answerTerms } from './answers/terms.ts';
import { daysOf } from './coin-days.ts';
import { prepareAliasIndex } from './coins/aliases.ts';
import type { Query } from './query.ts';
import { readQuestion } from './reading/read-question.ts';
import { titleOf } from './title.ts';

/** Earlier questions that a follow-up can refer to. */
const REMEMBERED = 8;
/** Coins of a question whose candles are read. */
const MAX_WITH_DAYS = 4;
/** Characters of a question that the rules read. */
const READ = 600;

interface Parts {
  market: MarketData;
  /** Rejects for an unreadable picture. */
  readPicture: (picture: Picture, signal: AbortSignal) => Promise<ChartReading>;
}

/** Creates the analyst without a language model: rules that answer from market figures and chart pixels. */
export function createBuiltInAnalyst({ market, readPicture }: Parts): Analyst {
  async function answerText(question: string, history: readonly Turn[]): Promise<Reply> {
    const snapshot = await market.snapshot();
    const coins = await market.searchMap();
    await prepareAliasIndex(coins);
    const query = readInContext(question, history, coins);
    const body = await bodyOf(query, fold(question), snapshot, market);
    return { text: `${body}\n\n${ending(snapshot.source)}`, coins: query.coins.map(({ id }) => id) };
  }

  /** Describes the picture, then adds figures of the coins in the question. A picture without a chart is free. */
  async function answerPicture(question: string, reading: ChartReading): Promise<Reply> {
    const description = describeReading(reading);
    if (!isChart(reading)) return { text: description, free: true };
    const marks = marksOf(reading);
    const known = market.known();
    await prepareAliasIndex(known);
    const { coins } = readQuestion(question.slice(0, READ), known);
    if (coins.length === 0) return { text: `${description}\n\n${RISK}`, marks };
    const named = await answerText(coins.map(({ name }) => name).join(' and '), []);
    return { ...named, text: `${description}\n\n${named.text}`, marks };
  }

  return {
    kind: 'built-in',
    answer: async (question, { history, picture, signal }) =>
      picture ? answerPicture(question, await readPicture(picture, signal)) : answerText(question, history),
    title: (question) => titleOf(readQuestion(question.slice(0, READ), market.known()), question),
  };
}

/** Reads the last questions in order, so that a follow-up can refer to earlier ones. */
function readInContext(question: string, history: readonly Turn[], coins: readonly CoinName[]): Query {
  const earlier = history.slice(-REMEMBERED).map((turn) => turn.question);
  return [...earlier, question].reduce<Query | undefined>(
    (previous, text) => readQuestion(text.slice(0, READ), coins, previous),
    undefined,
  ) as Query;
}

async function bodyOf(query: Query, folded: string, snapshot: MarketSnapshot, market: MarketData): Promise<string> {
  const { coins: listed, source } = snapshot;
  const bitcoin = listed.find(({ id }) => id === BITCOIN);
  const coins = await withFigures(query.coins, listed, market);
  const unlisted = query.unlisted.length > 0 && query.kind !== 'unlisted' ? `\n\n${answerUnlisted(query.unlisted, listed)}` : '';
  switch (query.kind) {
    case 'coins':
      return answerCoins(query, coins, listed) + unlisted;
    case 'conversion':
      return answerConversion(query, coins, bitcoin) + unlisted;
    case 'levels':
    case 'extremes':
    case 'risk':
    case 'correlation':
    case 'past':
    case 'profit':
      return bodyOfDays(query, coins, snapshot, market);
    case 'movers':
      return answerMovers(query, ofKind(query, listed));
    case 'top':
      return answerTop(query, folded, ofKind(query, listed));
    case 'overview':
      return answerOverview(query, ofKind(query, listed));
    case 'term':
      return answerTerms(query, coins, listed);
    case 'advice':
      return answerAdvice(coins);
    case 'reason':
      return answerReason(coins);
    case 'source':
      return answerSource(source, listed);
    case 'help':
      return answerHelp();
    case 'bots':
      return answerBots();
    case 'plan':
      return answerPlan();
    case 'insult':
      return answerInsult();
    case 'greeting':
      return answerGreeting();
    case 'thanks':
      return answerThanks();
    case 'unlisted':
      return answerUnlisted(query.unlisted, listed);
    case 'unknown':
      return answerUnknown(query);
  }
}

/** Answers what daily candles know. */
async function bodyOfDays(
  query: Query,
  coins: readonly MarketCoin[],
  { coins: listed, source }: MarketSnapshot,
  market: MarketData,
): Promise<string> {
  const bitcoin = listed.find(({ id }) => id === BITCOIN);
  const isAgainstBitcoin = query.kind === 'correlation' && coins.length === 1 && coins[0]?.id !== BITCOIN;
  const isOfBitcoin = query.kind === 'levels' && coins.length === 0;
  const wanted = [...coins, ...(bitcoin && (isAgainstBitcoin || isOfBitcoin) ? [bitcoin] : [])];
  // The past and a purchase need candles only for a day that the question names.
  const needsDays = query.when !== undefined || !['past', 'profit'].includes(query.kind);
  const withDays = async (coin: MarketCoin) => ({ coin, days: needsDays ? await daysOf(market, coin.id) : undefined });
  const asked = await Promise.all(wanted.slice(0, MAX_WITH_DAYS).map(withDays));
  const now = Date.parse(source.asOf);
  switch (query.kind) {
    case 'extremes':
      return answerExtremes(query, asked, now);
    case 'risk':
      return answerRisk(query, asked, now);
    case 'correlation':
      return answerCorrelation(query, asked, now);
    case 'profit':
      return answerProfit(query, asked, now);
    case 'levels':
      return answerLevels(asked, await market.btcCandles());
    default:
      return answerPast(query, asked, now);
  }
}

/** The coins that a list is about. */
const ofKind = ({ category }: Query, listed: readonly MarketCoin[]): readonly MarketCoin[] =>
  category ? listed.filter(({ tags }) => tags.some(({ slug }) => category.slugs.includes(slug))) : listed;

/** Looks up the figures of coins; coins outside the list are fetched one by one. */
async function withFigures(names: readonly CoinName[], listed: readonly MarketCoin[], market: MarketData): Promise<MarketCoin[]> {
  const found = await Promise.all(
    names.slice(0, 10).map(async ({ id }) => listed.find((coin) => coin.id === id) ?? (await market.details(id))?.coin),
  );
  return found.filter((coin) => coin !== undefined);
}
