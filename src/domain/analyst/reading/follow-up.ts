import type { Kind, Query } from '../query.ts';

const CONTINUES =
  /^(and|or|also|then|now|ok(ay)?|so|but|what about|how about|what of|same|plus|versus|vs|compared?|with|over|in|for|since)\b/;
const POINTS_BACK = /\b(it|its|it's|that|this|they|them|their|those|these|both|same|one|ones|the (other|coin|first|second))\b/;
const ADDS = /\b(compare|compared|vs|versus|against|with it|to it|than it|with (that|them|those)|to (that|them)|than (that|them))\b/;
const BARE_COUNT = /^(and |just |only )*(the )?(top|first) \w+[.!? ]*$/;
const ABOUT_DAYS: readonly Kind[] = ['extremes', 'risk', 'correlation', 'profit'];
const ABOUT_COINS: readonly Kind[] = [
  'coins',
  'levels',
  'advice',
  'reason',
  'past',
  'conversion',
  'alert',
  'watch',
  'unsure',
  'perpetual',
  ...ABOUT_DAYS,
];
/** Subjects that another coin does not take over. */
const NOT_REPEATED: readonly Kind[] = ['conversion', 'reason', 'alert', 'watch', 'unsure'];
const ABOUT_LISTS: readonly Kind[] = ['movers', 'top'];

/** Whether daily candles answer a subject, and no other figures do. */
export const isOfDays = (kind: Kind | undefined): boolean => kind !== undefined && ABOUT_DAYS.includes(kind);

/** Completes a follow-up from the previous question. */
export function continueFrom(previous: Query | undefined, own: Query, folded: string): Query {
  if (!previous) return own;
  const continues = CONTINUES.test(folded) || POINTS_BACK.test(folded);
  if (own.kind === 'alert' || own.kind === 'watch') {
    if (own.alert?.ofWatchlist || !(own.kind === 'watch' || own.coins.length === 0)) return own;
    const pointed = /\b(it|them|both|those|these|this|that)\b/.test(folded) ? previous.coins : [];
    return { ...own, coins: [...pointed.filter(({ id }) => own.coins.every((coin) => coin.id !== id)), ...own.coins] };
  }
  if (own.coins.length > 0) return continues ? withOtherCoins(previous, own, folded) : own;
  // "Top 3" after a list of movers shortens that list.
  if (previous.kind === 'movers' && own.kind === 'top' && BARE_COUNT.test(folded)) return { ...previous, count: own.count };
  switch (own.kind) {
    case 'unknown':
      return isOfAnEarlierDay(previous, own, folded) ? { ...own, kind: 'past', coins: previous.coins } : withOtherFigures(previous, own);
    case 'levels':
    case 'advice':
    case 'reason':
    case 'extremes':
    case 'risk':
    case 'correlation':
    case 'profit':
    case 'perpetual':
      // "And its support?", "Should I buy it?", "Why?"
      return ABOUT_COINS.includes(previous.kind) ? { ...own, coins: previous.coins } : own;
    case 'movers':
    case 'top':
      // "And the losers?" keeps the period.
      return continues && ABOUT_LISTS.includes(previous.kind)
        ? { ...own, period: own.period ?? previous.period, count: own.count ?? previous.count }
        : own;
    default:
      return own;
  }
}

/** "How much was it 3 weeks ago?", but not "and last week?", over which a change may be asked. */
const isOfAnEarlierDay = (previous: Query, { when }: Query, folded: string): boolean =>
  when !== undefined &&
  previous.coins.length > 0 &&
  ABOUT_COINS.includes(previous.kind) &&
  !isOfDays(previous.kind) &&
  ('month' in when || /\b(ago|yesterday)\b/.test(folded));

/** "And Ethereum?" asks the same for another coin; "compare it with Solana" adds a coin. */
function withOtherCoins(previous: Query, own: Query, folded: string): Query {
  if (!ABOUT_COINS.includes(previous.kind)) return own;
  const adds = own.coins.length === 1 && (own.kind === 'correlation' || (own.kind === 'coins' && ADDS.test(folded)));
  const coins = adds ? [...previous.coins.filter(({ id }) => id !== own.coins[0]?.id), ...own.coins] : own.coins;
  const saysNothingElse = own.kind === 'coins' && own.metrics.length === 0 && own.period === undefined && !own.otherPeriod;
  if (!saysNothingElse) return { ...own, coins };
  const { metrics, period, inBitcoin, span, when, purchase } = previous;
  const kind = adds || NOT_REPEATED.includes(previous.kind) ? 'coins' : previous.kind;
  return { ...own, kind, coins, metrics, period, inBitcoin: own.inBitcoin || inBitcoin, span, when, purchase };
}

/** "What about its volume?", "over 7 days?": other figures of the same coins, or the same list for another period. */
function withOtherFigures(previous: Query, own: Query): Query {
  // "And at 3000?"
  if (previous.kind === 'profit' && own.purchase.at !== undefined)
    return { ...previous, purchase: { ...previous.purchase, ...own.purchase } };
  if (isOfDays(previous.kind) && (own.span !== undefined || own.when)) return { ...previous, span: own.span, when: own.when };
  const namesFigures = own.metrics.length > 0 || own.period !== undefined || own.otherPeriod || own.inBitcoin;
  if (!namesFigures) return own;
  if (ABOUT_LISTS.includes(previous.kind)) return { ...previous, period: own.period ?? previous.period, otherPeriod: own.otherPeriod };
  const hasCoins = previous.coins.length > 0 && (ABOUT_COINS.includes(previous.kind) || previous.kind === 'term');
  return hasCoins ? { ...own, kind: 'coins', coins: previous.coins } : own;
}
