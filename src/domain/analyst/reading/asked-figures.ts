import type { Period } from '#contract/market/market.ts';
import type { Mention } from '../coins/finder.ts';
import type { Metric, Query } from '../query.ts';

const METRICS: readonly { metric: Metric; words: RegExp }[] = [
  { metric: 'fully_diluted', words: /\b(fdv|fully[- ]diluted)\b/ },
  { metric: 'dominance', words: /\bdominan(ce|t)\b|\bshare of (the (whole |total )?market|all crypto|crypto)\b/ },
  { metric: 'market_cap', words: /\b(market ?cap(itali[sz]ation)?s?|mcap|how (big|large) is)\b/ },
  { metric: 'volume', words: /\b(volumes?|traded|turnover|bought and sold)\b/ },
  { metric: 'rank', words: /\brank(ed|ing|s)?\b|\bwhat (place|position)\b/ },
  { metric: 'supply', words: /\b(supply|circulating|in circulation|how many .*\b(exist|are there|coins))\b/ },
  {
    metric: 'change',
    words:
      /\b(changes?|changed|performance|performed|performing|gain(ed)?|lost|lose|move[ds]?|moving|up or down|return(ed)?|percent|went (up|down)|gone (up|down)|risen|fallen|dropped|(is|are) \S+ (up|down)|in the (green|red)|green|red)\b|(?<!\d ?)%/,
  },
  {
    metric: 'price',
    words:
      /\b(prices?|cost|costs|worth|value|valued|quote|trading at|how much (is|are|does|do|for)|how much would|set me back|going rate)\b/,
  },
];

/** Finds the figures in a question, in display order. "Fully diluted market cap" is one, not two. */
export function askedMetrics(folded: string): Metric[] {
  const text = folded
    .replace(/fully[- ]diluted (market ?cap|valuation|value)/g, 'fdv')
    .replace(/vol(ume)?\s*(to|\/)\s*(market|mkt) ?cap/g, 'volume')
    .replace(/\bchang(e|ed|ing) hands\b/g, 'traded');
  return METRICS.filter(({ words }) => words.test(text)).map(({ metric }) => metric);
}

const PERIOD_WORDS: readonly { period: Period; words: RegExp }[] = [
  { period: '90d', words: /\b(90 ?d(ays?)?|3 ?mo(nths?)?|three months|quarter)\b/ },
  { period: '60d', words: /\b(60 ?d(ays?)?|2 ?mo(nths?)?|two months)\b/ },
  { period: '30d', words: /\b(30 ?d(ays?)?|1 ?mo(nth)?|month(ly)?)\b/ },
  { period: '7d', words: /\b(7 ?d(ays?)?|1 ?w(eek)?|seven days|week(ly)?)\b/ },
  { period: '24h', words: /\b(24 ?h((ou)?rs?)?|1 ?d(ay)?|today|daily|yesterday|day|overnight)\b/ },
  { period: '1h', words: /\b(1 ?h((ou)?r)?|60 ?min(utes)?|hour(ly)?)\b/ },
];

const OTHER_PERIOD =
  /\b(\d+ ?(years?|y|yrs?)|years?|ytd|all[- ]time|[4-9] months?|1[0-9] months?|six months|[2-35-9] ?(hours?|hrs?|h)|12 ?(hours?|h)|[2-68-9] days?|1[0-9] days?|[2-9] weeks?|two weeks|minutes?|decade)\b/;

/** Finds the period of a change, and whether the question names a period without a known change. */
export function askedPeriod(folded: string): Pick<Query, 'period' | 'otherPeriod'> {
  const other = OTHER_PERIOD.test(folded) && !/\b60 ?min/.test(folded);
  const period = PERIOD_WORDS.find(({ words }) => words.test(folded))?.period;
  return { period: other ? undefined : period, otherPeriod: other };
}

const OTHER_CURRENCY = /[€£¥₹]|\b(eur|euros?|gbp|pounds?|sterling|yen|jpy|yuan|cny|rmb|inr|rupees?|chf|francs?|cad|aud|krw|brl|lira)\b/;

/** Whether the question names a currency without quotes. */
export const asksOtherCurrency = (folded: string): boolean => OTHER_CURRENCY.test(folded);

const MAX_ROWS = 50;
const NUMBER_WORDS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

/** Finds the number of rows: "top 5", "5 biggest", "three worst". */
export function askedCount(folded: string): number | undefined {
  const after = /\b(?:top|first|best|worst|biggest|largest)\s+(\d{1,9}|[a-z]+)\b/.exec(folded)?.[1];
  const before = /\b(\d{1,9}|[a-z]+)\s+(?:top|best|worst|biggest|largest|coins|gainers|losers|cryptos)\b/.exec(folded)?.[1];
  for (const word of [after, before]) {
    if (word === undefined) continue;
    const count = /^\d/.test(word) ? Number(word) : NUMBER_WORDS.indexOf(word) + 1;
    if (count > 0) return Math.min(count, MAX_ROWS);
  }
  return undefined;
}

const AMOUNT = String.raw`(\d{1,15}(?:,\d{3})*(?:\.\d{1,12})?)\s*(k|m|thousand|million)?`;
const BEFORE_COIN = new RegExp(`(^|[^\\d.,$€£])${AMOUNT}\\s*$`);
const DOLLARS = new RegExp(`\\$\\s*${AMOUNT}|\\b${AMOUNT}\\s*(?:usd|dollars?|bucks)\\b`);

/** Finds an amount of the first coin or of dollars: "0.5 btc", "$100 of eth". */
export function askedAmount(text: string, mentions: readonly Mention[]): Query['amount'] {
  const [first] = mentions;
  if (!first) return undefined;
  const before = text.slice(0, first.start).toLowerCase();
  const coins = BEFORE_COIN.exec(before);
  if (coins?.[2] !== undefined && !/\b(top|in|since|by|at|until|year)\s*$/.test(before.slice(0, coins.index + (coins[1]?.length ?? 0))))
    return { value: amountOf(coins[2], coins[3]), unit: 'coin' };
  const dollars = DOLLARS.exec(text.toLowerCase());
  if (!dollars || !/\b(worth|of|in|into|to|buys?|get|for|convert)\b/i.test(text)) return undefined;
  return { value: amountOf(dollars[1] ?? dollars[3] ?? '0', dollars[2] ?? dollars[4]), unit: 'USD' };
}

/** Returns the number that a text means: "1,500", "1.5" with "k", "5" with "cents". */
export function amountOf(digits: string, unit: string | undefined): number {
  const number = Number(digits.replaceAll(',', ''));
  if (unit === undefined) return number;
  if (unit.startsWith('c')) return number / 100;
  return number * (unit.startsWith('k') || unit === 'thousand' ? 1e3 : 1e6);
}
