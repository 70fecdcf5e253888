import { ALERT_PERIODS } from '#contract/alerts/alert-limits.ts';
import type { AskedAlert, Kind, Query } from '../query.ts';
import { amountOf } from './asked-figures.ts';

/** Questions that ask the app to do something: patterns of folded texts. */

const ABOUT_COMMANDS = /^(and |but |so )?(how|where|why|what|which|does|do i|is|are|did|who)\b/;
const ALERT = new RegExp(
  [
    /\b(set|create|add|make|put|start|place|give me|need|want|new)\b.{0,60}\balerts?\b|^(price )?alert\b/,
    /\b(alert|notify|ping|warn|message|remind|tell|text|email) me\b.{0,80}\b(if|when|whenever|once|as soon as|in case|at|above|below|over|under)\b/,
    /\blet me know\b.{0,40}\b(if|when|whenever|once|as soon as|in case)\b/,
    /\b(when|if|once|as soon as)\b.{1,120}\b(alert|notify|ping|warn|message|tell|text|email) me\b/,
  ]
    .map(({ source }) => source)
    .join('|'),
);
/** "Tell me when to buy" and "let me know if it is a good time" ask for advice. */
const NO_ALERT = /\b(when|if|whether) (to|i|we|it is|it's|now|this is)\b|\balerts? (work|mean|cost)/;
const WATCH = /\b(add|put|save|include|place|pin)\b.{1,120}\b(to|on|in|into|onto)\b.{0,20}\b(watch ?list|favou?rites?)\b/;
const WATCH_COIN = /^(please |can you |could you )?(watch|favou?rite|heart|star|watchlist) \S/;
const UNWATCH =
  /\b(remove|delete|drop|take|unwatch|kick)\b.{1,120}\b(from|off|out of)\b.{0,20}\b(watch ?list|favou?rites?)\b|^(please |can you |could you )?unwatch\b/;

/** Finds the command in a folded question. `hasCoins`: the question names a coin. */
export function askedCommand(folded: string, hasCoins: boolean): { kind: Kind; watched: boolean } | undefined {
  if (ABOUT_COMMANDS.test(folded)) return undefined;
  if (UNWATCH.test(folded)) return { kind: 'watch', watched: false };
  if (WATCH.test(folded) || (hasCoins && WATCH_COIN.test(folded))) return { kind: 'watch', watched: true };
  // "Remind me when the weather is good" is about nothing that an alert watches.
  const isOfMarket = hasCoins || /\balerts?\b|\bwatch ?list\b|\d/.test(folded);
  return isOfMarket && ALERT.test(folded) && !NO_ALERT.test(folded) ? { kind: 'alert', watched: true } : undefined;
}

const UP =
  /\b(above|over|exceeds?|higher than|more than|(ris|climb|gain|pump|jump|ral|grow|soar)\w*|goes? up|going up|is up|breaks? out|up (by )?\d)\b/;
const DOWN =
  /\b(below|under|beneath|less than|lower than|(drop|fall|los|dip|dump|crash|sink|plung|declin)\w*|fell|goes? down|is down|down (by )?\d)\b/;
const PERCENT = /(\d{1,6}(?:\.\d{1,6})?) ?(?:%|percent|per cent|pct\b)/;
const SPAN = /\b\d{1,5} ?-?(?:h|hours?|hrs?|d|days?|w|weeks?|months?|mo|minutes?|mins?|y|years?)\b/g;
const PRICE = /(?:^|[^\p{L}\p{N}.,])\$? ?(\d{1,15}(?:,\d{3})*(?:\.\d{1,15})?) ?(k|m|thousand|million|cents?)?(?![\p{L}\p{N}])/u;

/** Finds what an alert waits for. `period`: that of a change, as the question names it. */
export function askedAlert(folded: string, { period, otherPeriod }: Pick<Query, 'period' | 'otherPeriod'>): AskedAlert {
  const percent = PERCENT.exec(folded);
  const price = percent ? null : PRICE.exec(folded.replace(SPAN, ' '));
  const watched = ALERT_PERIODS.find((each) => each === period);
  return {
    price: price ? amountOf(price[1] ?? '0', price[2]) : undefined,
    percent: percent ? Number(percent[1]) : undefined,
    way: wayOf(folded),
    period: watched ?? '24h',
    otherPeriod: otherPeriod || (period !== undefined && watched === undefined),
    // "70.000" is seventy thousand in many countries.
    thousands: /^\d{1,3}\.\d{3}$/.test(price?.[1] ?? '') ? Number(price?.[1]?.replace('.', '')) : undefined,
    ofWatchlist: /\bwatch ?list\b/.test(folded),
  };
}

function wayOf(folded: string): AskedAlert['way'] {
  const [up, down] = [UP.test(folded), DOWN.test(folded)];
  if (up && down) return 'both';
  return up ? 'up' : down ? 'down' : undefined;
}
