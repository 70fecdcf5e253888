import { isNear, median } from './median.ts';
import type { Quoted } from './quoted.ts';

/** What a unit of a quote currency costs in dollars. */
export interface Rate {
  now: number;
  /** 24 hours ago; null if unknown. */
  open: number | null;
}
export type Rates = ReadonlyMap<string, Rate>;

/** Quote currencies beside USD and BTC whose prices count. */
const STABLE = ['USDT', 'USDC'] as const;
const QUOTES = [...STABLE, 'EUR'] as const;
type Quote = (typeof QUOTES)[number];

/** Coins with deep markets in every quote currency: the ratio of their prices on one exchange implies a rate. */
const BRIDGES = ['BTC', 'ETH'];
/** Share by which an exchange's own rate may differ from what all estimates say. */
const TOLERANCE = 0.01;
/** A stablecoin this near to a dollar counts as unchanged where no exchange gives its price of 24 hours ago. */
const PEG = 0.005;

/** Returns the dollar rates of the quote currencies, and those that count as a dollar because no exchange has a dollar price. */
export function ratesOf(quoted: readonly Quoted[]): { rates: Rates; atPar: readonly string[] } {
  const rates = new Map<string, Rate>([['USD', { now: 1, open: 1 }]]);
  const markets = new Map(quoted.map((one) => [`${one.venue} ${one.base}/${one.quote}`, one]));
  const atPar: string[] = [];
  for (const quote of QUOTES) {
    const rate = ownRate(quote, quoted, markets);
    if (rate) rates.set(quote, rate);
  }
  if (!rates.has('USDT') && quoted.some(({ quote }) => quote === 'USDT')) {
    rates.set('USDT', { now: 1, open: 1 });
    atPar.push('USDT');
  }
  for (const quote of QUOTES) {
    const rate = rates.has(quote) ? undefined : rateByTether(quote, quoted, rates.get('USDT'));
    if (rate) rates.set(quote, rate);
  }
  return { rates, atPar };
}

/**
 * Returns a rate by markets against dollars. An exchange that reports wrong prices is outvoted by what its own markets imply, and by the
 * other stablecoin at par: all estimates together decide, and direct prices near to them give the figure.
 */
function ownRate(quote: Quote, quoted: readonly Quoted[], markets: ReadonlyMap<string, Quoted>): Rate | undefined {
  const direct = quoted.filter((one) => one.base === quote && one.quote === 'USD');
  const implied = quoted.flatMap(({ venue, base, quote: currency, price }) => {
    const inDollars = currency === quote && BRIDGES.includes(base) ? markets.get(`${venue} ${base}/USD`) : undefined;
    return inDollars ? [inDollars.price / price] : [];
  });
  if (direct.length + implied.length === 0) return undefined;
  const center = median([...direct.map(({ price }) => price), ...implied, ...parVotes(quote, quoted)]);
  const near = direct.filter(({ price }) => isNear(price, center, TOLERANCE));
  if (near.length === 0) return withPeg(quote, center, null);
  const opens = near.flatMap(({ open }) => (open === null ? [] : [open]));
  return withPeg(quote, median(near.map(({ price }) => price)), opens.length > 0 ? median(opens) : null);
}

/** Returns what a stablecoin costs if the other one is worth a dollar. Where the two differ, either may have left its peg, so nothing follows. */
function parVotes(quote: Quote, quoted: readonly Quoted[]): number[] {
  const other = STABLE.find((stable) => stable !== quote);
  if (quote === 'EUR' || !other) return [];
  const ratios = quoted.flatMap(({ base, quote: currency, price }) => {
    if (base === quote && currency === other) return [price];
    return base === other && currency === quote ? [1 / price] : [];
  });
  return ratios.filter((ratio) => isNear(ratio, 1, TOLERANCE));
}

/** Returns a rate by markets against Tether, where none against dollars exists. */
function rateByTether(quote: Quote, quoted: readonly Quoted[], tether: Rate | undefined): Rate | undefined {
  const pairs = quoted.filter((one) => one.base === quote && one.quote === 'USDT');
  if (pairs.length === 0 || !tether) return undefined;
  const opens = pairs.flatMap(({ open }) => (open === null || tether.open === null ? [] : [open * tether.open]));
  return withPeg(quote, median(pairs.map(({ price }) => price)) * tether.now, opens.length > 0 ? median(opens) : null);
}

function withPeg(quote: Quote, now: number, open: number | null): Rate {
  const isPegged = quote !== 'EUR' && isNear(now, 1, PEG);
  return { now, open: open ?? (isPegged ? now : null) };
}
