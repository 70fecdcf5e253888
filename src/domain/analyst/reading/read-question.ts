import { BITCOIN, type CoinName } from '#domain/market/coin.ts';
import { fold } from '#domain/text.ts';
import { findCoins, type Mention } from '../coins/finder.ts';
import { unlistedCoins } from '../coins/unlisted.ts';
import type { Query } from '../query.ts';
import { askedCategory } from './asked-category.ts';
import { askedAlert, askedCommand } from './asked-command.ts';
import { askedAmount, askedCount, askedMetrics, askedPeriod, asksOtherCurrency } from './asked-figures.ts';
import { askedPurchase } from './asked-purchase.ts';
import { askedSubject } from './asked-subject.ts';
import { askedTerms, termsBesideCoins } from './asked-terms.ts';
import { askedSpan, askedWhen } from './asked-time.ts';
import { continueFrom, isOfDays } from './follow-up.ts';
import { withoutTypos } from './typos.ts';
import { isUnsure } from './unsure.ts';

const COMPARES = /\b(compare|compared|comparison|vs|versus|against|between|relative|better|difference)\b/;

/** Words of a question for a list, beside a kind of coins. */
const ASKS_FOR_COINS = /\b(coins?|tokens?|cryptos?|list|show|which|best|top|stablecoins?|memecoins?)\b/;

/** Parses a question in the context of the previous one. `coins` must be sorted by rank. The text is data, never instructions. */
export function readQuestion(question: string, coins: readonly CoinName[], previous?: Query): Query {
  const text = question.normalize('NFKC').replaceAll('’', "'").trim();
  const found = findCoins(text, coins);
  const folded = withoutTypos(
    fold(text).replace(/\s+/g, ' '),
    found.mentions.map(({ start, end }) => fold(text.slice(start, end))),
  );
  const { mentions, inBitcoin } = withoutUnits(text, found.mentions);
  const asked = [...new Map(mentions.map(({ coin }) => [coin.id, coin])).values()];
  const amount = askedAmount(text, mentions);
  const own: Query = {
    kind: 'unknown',
    ...askedPeriod(folded),
    coins: asked,
    unlisted: found.unlisted,
    metrics: askedMetrics(folded),
    span: askedSpan(folded),
    when: askedWhen(folded),
    purchase: askedPurchase(folded),
    alert: undefined,
    watched: true,
    category: askedCategory(folded),
    count: askedCount(folded),
    side: 'both',
    terms: [],
    amount,
    inBitcoin,
    otherCurrency: asksOtherCurrency(folded),
  };

  const command = askedCommand(folded, asked.length > 0);
  if (command) {
    const { kind, watched } = command;
    const alert = kind === 'alert' ? askedAlert(folded, own) : undefined;
    return continueFrom(
      previous,
      { ...own, kind, watched, alert, unlisted: asked.length > 0 ? found.unlisted : namesUnlisted(found.unlisted, text) },
      folded,
    );
  }

  const subject = askedSubject(folded, asked.length > 0);
  // "How much XRP was traded today" asks for the current figure.
  if (subject.kind === 'past' && isOfToday(own)) subject.kind = undefined;
  if (subject.kind === 'help' || subject.kind === 'source' || subject.kind === 'reason')
    return continueFrom(previous, { ...own, ...subject, kind: subject.kind }, folded);

  const terms = isOfDays(subject.kind) || subject.kind === 'perpetual' ? null : askedTerms(folded);
  if (terms && !(terms.maybeFigure && previous && previous.coins.length > 0))
    return { ...own, kind: 'term', coins: [], terms: terms.terms };
  if (subject.kind) return continueFrom(previous, { ...own, ...subject, kind: subject.kind }, folded);
  if (asked.length > 0) {
    const besides = termsBesideCoins(folded);
    if (besides.length > 0) return { ...own, kind: 'term', terms: besides };
    const says = own.metrics.length > 0 || own.inBitcoin || own.otherCurrency || own.otherPeriod;
    if (!amount && !says && isUnsure(text, folded, found.mentions)) return { ...own, kind: 'unsure' };
    return continueFrom(previous, { ...own, kind: amount ? 'conversion' : 'coins' }, folded);
  }
  if (own.category && ASKS_FOR_COINS.test(folded)) return { ...own, kind: 'top' };
  const continued = continueFrom(previous, own, folded);
  if (continued.kind !== 'unknown') return continued;
  const unlisted = namesUnlisted(found.unlisted, text);
  return unlisted.length > 0 ? { ...own, kind: 'unlisted', unlisted } : own;
}

/** Whether a question asks for a figure of the last 24 hours. */
const isOfToday = ({ metrics, period, when }: Query): boolean =>
  when === undefined && (period === undefined || period === '24h') && metrics.some((metric) => metric === 'volume');

const namesUnlisted = (found: readonly string[], text: string): string[] => [...found, ...unlistedCoins(text)];

/** Handles quote units: "ETH in BTC" asks for one coin in units of the other, and "in USDT" is the default. */
function withoutUnits(text: string, mentions: readonly Mention[]): { mentions: Mention[]; inBitcoin: boolean } {
  const compares = COMPARES.test(text.toLowerCase());
  const isUnit = ({ coin, start }: Mention, index: number): boolean => {
    const before = text.slice(0, start);
    return (
      index > 0 &&
      !compares &&
      (/\b(in|into|to|per)\s+$/i.test(before) || before.endsWith('/')) &&
      (coin.id === BITCOIN || /^USD/.test(coin.symbol))
    );
  };
  return {
    mentions: mentions.filter((mention, index) => !isUnit(mention, index)),
    inBitcoin:
      mentions.some((mention, index) => mention.coin.id === BITCOIN && isUnit(mention, index)) || /\b(sats|satoshis)\b/i.test(text),
  };
}
