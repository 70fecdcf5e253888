import type { Period, Quote } from '#contract/market/market.ts';
import { BITCOIN } from '#domain/market/coin.ts';
import { NO_FIGURES } from '#domain/market/figures.ts';
import { PERIOD_MS } from '../demo-walk.ts';
import { changes, inBitcoin, percent, rounded } from '../in-bitcoin.ts';
import type { Held } from '../last-good.ts';
import type { MarketCoin, MarketSnapshot, MoneyRates } from '../market-data.ts';
import type { Catalogue, CatalogueCoin } from './catalogue.ts';
import type { PastOf } from './past/known-past.ts';
import { type PastPrices, priceAt } from './past/past-prices.ts';
import type { StoredCoin, StoredFigures } from './stored-figures.ts';

const listed = new Intl.ListFormat('en-US', { type: 'conjunction' });

interface Known {
  catalogue: Catalogue;
  past: PastOf;
}

/** Returns the market with the catalogue's names and supplies, and changes since past prices: the coins that have a price. */
export function snapshotOf({ value, stale }: Held<StoredFigures>, { catalogue: { coins: known }, past }: Known): MarketSnapshot {
  const figures = new Map(value.coins);
  const quoteOf = (coin: CatalogueCoin, own: StoredCoin): Quote => ({
    ...quoteNow(coin, own),
    ...changesSince(past(coin.id), own, value.asOf),
  });
  const bitcoin = figures.get(BITCOIN);
  const bitcoinCoin = known.find(({ id }) => id === BITCOIN);
  const inDollars = bitcoin && bitcoinCoin ? quoteOf(bitcoinCoin, bitcoin) : NO_FIGURES;
  const coins = known
    .flatMap((coin) => {
      const own = figures.get(coin.id);
      return own ? [{ ...unpriced(coin), ...priceOf(own, quoteOf(coin, own), inDollars) }] : [];
    })
    .sort((a, b) => (b.quote.USD.market_cap ?? 0) - (a.quote.USD.market_cap ?? 0))
    .map((coin, index) => ({ ...coin, rank: index + 1 }));
  return { source: sourceOf(value, stale), coins };
}

function sourceOf({ venues, atPar, asOf }: StoredFigures, stale: boolean): MarketSnapshot['source'] {
  const par = atPar.length > 0 ? `, with ${listed.format(atPar)} at $1` : '';
  return { name: `${listed.format(venues)}${par}`, demo: false, asOf: new Date(asOf).toISOString(), ...(stale && { stale }) };
}

/** Returns the rates of money in good figures. */
export function moneyIn(held: Held<StoredFigures> | undefined): MoneyRates | undefined {
  const { money, asOf } = held?.value ?? {};
  if (!money || asOf === undefined || held?.stale || money.rates.length === 0) return undefined;
  return { source: listed.format(money.venues), asOf: new Date(asOf).toISOString(), rates: new Map(money.rates) };
}

/** Returns a coin without figures. */
export const unpriced = ({ links: _, ...coin }: CatalogueCoin): MarketCoin => ({
  ...coin,
  rank: null,
  quote: { USD: NO_FIGURES, BTC: NO_FIGURES },
});

const priceOf = ({ sources }: StoredCoin, usd: Quote, bitcoin: Quote): Partial<MarketCoin> => ({
  quote: { USD: usd, BTC: inBitcoin(usd, bitcoin) },
  sources,
  isCapEstimated: true,
});

/** Returns the changes of each period in percent. The exchanges give that of 24 hours. */
function changesSince(past: PastPrices | undefined, { price, change }: StoredCoin, now: number) {
  const before = (period: Period) => past && priceAt(past, now - PERIOD_MS[period]);
  const percentSince = (old: number | undefined) => (old ? Number(percent(price / old).toPrecision(6)) : null);
  return { ...changes((period) => percentSince(before(period))), percent_change_24h: change };
}

const quoteNow = ({ circulatingSupply, totalSupply, maxSupply }: CatalogueCoin, { price, volume }: StoredCoin) => {
  const diluted = maxSupply ?? totalSupply;
  return rounded({
    ...NO_FIGURES,
    price,
    market_cap: price * circulatingSupply,
    volume_24h: volume,
    fully_diluted_market_cap: diluted === null ? null : price * diluted,
  });
};
