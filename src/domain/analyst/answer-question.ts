import type { AnswerFigures } from '#contract/chat/answer-figures.ts';
import type { Action } from '#contract/chat/offers.ts';
import { BITCOIN, type Coin, type CoinName } from '../market/coin.ts';
import { fold } from '../text.ts';
import { answerApp, answerBots, answerInsult, answerPlans } from './answers/app.ts';
import { answerUnsure, askableOf, coinChoices, sharingSymbol, someChoices } from './answers/ask-back.ts';
import { choicesText } from './answers/choices-text.ts';
import { answerCoins } from './answers/coin.ts';
import { answerAlert, answerWatch, type Offer } from './answers/commands.ts';
import { answerConversion } from './answers/conversion.ts';
import { plain } from './answers/format.ts';
import { answerCorrelation, answerExtremes, answerPast, answerRisk } from './answers/history.ts';
import { answerLevels } from './answers/levels.ts';
import { answerMovers, answerOverview, answerTop } from './answers/lists.ts';
import { answerOwnBots, answerOwnPlan, BOTS_SOURCE, NO_BOTS_AT_HAND, NO_PLAN_AT_HAND, PLAN_SOURCE } from './answers/own.ts';
import { answerPerpetual } from './answers/perpetual.ts';
import { answerProfit } from './answers/profit.ts';
import { ending } from './answers/stamp.ts';
import {
  answerAdvice,
  answerFarewell,
  answerGreeting,
  answerHelp,
  answerReason,
  answerSource,
  answerThanks,
  answerUnknown,
  answerUnlisted,
} from './answers/talk.ts';
import { answerTerms } from './answers/terms.ts';
import { takeFigures, withoutMarks, withShortMarks } from './answers/told.ts';
import { prepareAliasIndex } from './coins/aliases.ts';
import type { Figures, Listing } from './figures.ts';
import { detectLanguage } from './languages/detect-language.ts';
import { inEnglish, OTHER_LANGUAGE } from './languages/read-languages.ts';
import { answerIn, sentenceIn } from './languages/translate-answer.ts';
import type { Own } from './own.ts';
import type { Query } from './query.ts';
import { readQuestion } from './reading/read-question.ts';
import { titleInOwnWords, titleOf } from './title.ts';

/** Earlier questions that a follow-up can refer to. */
const REMEMBERED = 8;
/** Coins of a question whose figures are read. */
const MAX_NAMED = 10;
/** Coins of a question whose candles are read. */
const MAX_WITH_DAYS = 4;
/** Characters of a question that the rules read. */
const READ = 600;

/** An answer without a language model. */
export interface RulesAnswer {
  /** Markdown. */
  text: string;
  /** The figures in the text. */
  figures: AnswerFigures;
  /** Ids of the coins that the answer is about. */
  coins: number[];
  /** Questions that it asks back, which the text lists too. */
  choices: string[];
  /** What it offers to do. */
  action: Action | undefined;
  /** The time of the figures, ms UTC. */
  asOf: number;
  /** The figures are too few for the question: it names a coin or a kind of coins that they lack, or was not understood. */
  isPartial: boolean;
}

/**
 * Answers a question by rules from figures; one that they do not understand gets an answer that says so.
 * @param earlier the conversation's questions, oldest first, which a follow-up can refer to
 * @param own the asking user's rows
 */
export async function answerQuestion(question: string, earlier: readonly string[], figures: Figures, own?: Own): Promise<RulesAnswer> {
  const listing = await figures.listing();
  const names = await figures.names();
  await prepareAliasIndex(names);
  const asked = [...earlier.slice(-REMEMBERED), question].map((text) => text.slice(0, READ));
  const { questions, language, isOther } = await inEnglish(asked);
  const english = questions.at(-1) ?? '';
  const previous = readInContext(questions.slice(0, -1), names);
  const query = readQuestion(english, names, previous);
  const mine = query.kind === 'ownBots' || query.kind === 'ownPlan' ? await ownAnswer(query.kind, own) : undefined;
  const { text: marked, choices = [], action } = mine ?? (await offerOf(query, fold(english), { listing, names, figures, previous }));
  const source = mine?.source ?? { name: plain(listing.source.name), asOf: listing.source.asOf };
  const offered = someChoices(choices);
  const told = `${marked}${withoutMarks(`${choicesText(offered)}\n\n${ending(mine?.source ?? listing.source)}`)}`;
  const translated = language && withShortMarks(told, (text) => answerIn(language, text));
  const note = translated === undefined ? (language?.onlyEnglish ?? (isOther ? OTHER_LANGUAGE : undefined)) : undefined;
  const { text, figures: found } = takeFigures(translated ?? (note === undefined ? told : `${note}\n\n${told}`), source);
  return {
    text,
    figures: found,
    choices: translated === undefined || !language ? offered : offered.map((choice) => sentenceIn(language, choice) ?? choice),
    action,
    coins: query.coins.map(({ id }) => id),
    asOf: Date.parse(source.asOf),
    isPartial: isPartial(query, listing) || mine?.isMissing === true,
  };
}

function isPartial({ kind, unlisted, category }: Query, { coins }: Listing): boolean {
  return kind === 'unknown' || kind === 'unlisted' || unlisted.length > 0 || (category !== undefined && coins.every(({ tags }) => !tags));
}

interface OwnAnswer extends Offer {
  /** Undefined where the rows are not at hand. */
  source: Pick<Listing['source'], 'name' | 'asOf'> | undefined;
  isMissing: boolean;
}

/** Answers from the rows of the user who asks. */
async function ownAnswer(kind: 'ownBots' | 'ownPlan', own: Own | undefined): Promise<OwnAnswer> {
  const missing = (text: string): OwnAnswer => ({ text, source: undefined, isMissing: true });
  const from = (name: string, asOf: number, text: string): OwnAnswer => ({
    text,
    source: { name, asOf: new Date(asOf).toISOString() },
    isMissing: false,
  });
  if (kind === 'ownPlan') {
    const plan = await own?.plan();
    return plan ? from(PLAN_SOURCE, plan.asOf, answerOwnPlan(plan)) : missing(NO_PLAN_AT_HAND);
  }
  const bots = await own?.bots();
  return bots ? from(BOTS_SOURCE, bots.asOf, answerOwnBots(bots)) : missing(NO_BOTS_AT_HAND);
}

/** Returns the coins that a question names. */
export async function coinsNamed(question: string, names: readonly CoinName[]): Promise<readonly CoinName[]> {
  await prepareAliasIndex(names);
  return readQuestion(question.slice(0, READ), names).coins;
}

/** Returns a title of at most 40 characters for a conversation that starts with a question. */
export function titleOfQuestion(question: string, names: readonly CoinName[]): string {
  const language = detectLanguage(question.slice(0, READ));
  if (language !== undefined && language !== 'en') return titleInOwnWords(question);
  return titleOf(readQuestion(question.slice(0, READ), names), question);
}

/** Reads questions in order, so that a follow-up can refer to earlier ones. */
const readInContext = (questions: readonly string[], names: readonly CoinName[]): Query | undefined =>
  questions.reduce<Query | undefined>((previous, text) => readQuestion(text.slice(0, READ), names, previous), undefined);

interface Known {
  listing: Listing;
  names: readonly CoinName[];
  figures: Figures;
  previous: Query | undefined;
}

/** Asks back, offers what the question asks to do, or answers. */
async function offerOf(query: Query, folded: string, { listing, names, figures, previous }: Known): Promise<Offer> {
  const { kind, alert } = query;
  // The coins of the question before come first: it may mean them.
  const before = listing.coins.filter(({ id }) => previous?.coins.some((coin) => coin.id === id));
  const others = () => askableOf([...new Set([...before, ...listing.coins])], names);
  if (kind !== 'alert' && kind !== 'watch' && kind !== 'unsure') {
    const text = await bodyOf(query, folded, listing, figures);
    return { text, choices: query.coins.length < 2 ? coinChoices(query, text, others) : [] };
  }
  if (query.unlisted.length > 0 && query.coins.length === 0) return { text: answerUnlisted(query.unlisted, listing.coins) };
  const sharing = kind === 'unsure' ? [] : sharingSymbol(folded, query.coins, names);
  const coins = await withFigures(sharing.length > 0 ? sharing : query.coins, listing.coins, figures);
  const asked = askableOf(coins, names);
  if (kind === 'unsure') return answerUnsure(asked);
  if (kind === 'watch') return answerWatch(query, sharing.length > 0 ? [] : query.coins, sharing.length > 0 ? asked : others());
  return alert ? answerAlert(alert, asked, others()) : { text: '' };
}

async function bodyOf(query: Query, folded: string, listing: Listing, figures: Figures): Promise<string> {
  const { coins: listed, source } = listing;
  const bitcoin = listed.find(({ id }) => id === BITCOIN);
  const coins = await withFigures(query.coins, listed, figures);
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
      return bodyOfDays(query, coins, listing, figures);
    case 'perpetual':
      return answerPerpetual(await withPerpetuals(coins.length > 0 || !bitcoin ? coins : [bitcoin], figures));
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
    case 'plans':
      return answerPlans();
    case 'insult':
      return answerInsult();
    case 'greeting':
      return answerGreeting();
    case 'thanks':
      return answerThanks();
    case 'farewell':
      return answerFarewell();
    case 'app':
      return answerApp();
    // Answered before.
    case 'ownBots':
    case 'ownPlan':
    case 'alert':
    case 'watch':
    case 'unsure':
      return '';
    case 'unlisted':
      return answerUnlisted(query.unlisted, listed);
    case 'unknown':
      return answerUnknown(query);
  }
}

const withPerpetuals = (coins: readonly Coin[], figures: Figures) =>
  Promise.all(coins.slice(0, MAX_WITH_DAYS).map(async (coin) => ({ coin, perpetual: await figures.perpetual(coin.id) })));

/** Answers what daily candles know. */
async function bodyOfDays(query: Query, coins: readonly Coin[], { coins: listed, source }: Listing, figures: Figures): Promise<string> {
  const bitcoin = listed.find(({ id }) => id === BITCOIN);
  const isAgainstBitcoin = query.kind === 'correlation' && coins.length === 1 && coins[0]?.id !== BITCOIN;
  const isOfBitcoin = query.kind === 'levels' && coins.length === 0;
  const wanted = [...coins, ...(bitcoin && (isAgainstBitcoin || isOfBitcoin) ? [bitcoin] : [])];
  // The past and a purchase need candles only for a day that the question names.
  const needsDays = query.when !== undefined || !['past', 'profit'].includes(query.kind);
  const withDays = async (coin: Coin) => ({ coin, days: needsDays ? await figures.days(coin.id) : undefined });
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
      return answerLevels(asked, await figures.bitcoinHours());
    default:
      return answerPast(query, asked, now);
  }
}

/** The coins that a list is about. */
const ofKind = ({ category }: Query, listed: readonly Coin[]): readonly Coin[] =>
  category ? listed.filter(({ tags }) => tags?.some(({ slug }) => category.slugs.includes(slug))) : listed;

/** Looks up the figures of coins; coins outside the list are fetched one by one. */
async function withFigures(names: readonly CoinName[], listed: readonly Coin[], figures: Figures): Promise<Coin[]> {
  const found = await Promise.all(
    names.slice(0, MAX_NAMED).map(async ({ id }) => listed.find((coin) => coin.id === id) ?? figures.coin(id)),
  );
  return found.filter((coin) => coin !== undefined);
}
