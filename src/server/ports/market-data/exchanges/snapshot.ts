import { NO_FIGURES } from '#domain/market/figures.ts';
import { inBitcoin, rounded } from '../in-bitcoin.ts';
import type { Held } from '../last-good.ts';
import { BITCOIN, type MarketCoin, type MarketSnapshot } from '../market-data.ts';
import type { Catalogue, CatalogueCoin } from './catalogue.ts';
import type { StoredCoin, StoredFigures } from './stored-figures.ts';

const listed = new Intl.ListFormat('en-US', { type: 'conjunction' });

/** Returns the market with the catalogue's names and supplies: the coins that have a price. */
export function snapshotOf({ value, stale }: Held<StoredFigures>, { coins: known }: Catalogue): MarketSnapshot {
  const figures = new Map(value.coins);
  const bitcoin = figures.get(BITCOIN);
  const bitcoinCoin = known.find(({ id }) => id === BITCOIN);
  const inDollars = bitcoin && bitcoinCoin ? quoteOf(bitcoinCoin, bitcoin) : NO_FIGURES;
  const coins = known
    .flatMap((coin) => {
      const own = figures.get(coin.id);
      return own ? [{ ...unpriced(coin), ...priceOf(coin, own, inDollars) }] : [];
    })
    .sort((a, b) => (b.quote.USD.market_cap ?? 0) - (a.quote.USD.market_cap ?? 0))
    .map((coin, index) => ({ ...coin, rank: index + 1 }));
  return { source: sourceOf(value, stale), coins };
}

function sourceOf({ venues, atPar, asOf }: StoredFigures, stale: boolean): MarketSnapshot['source'] {
  const par = atPar.length > 0 ? `, with ${listed.format(atPar)} at $1` : '';
  return { name: `${listed.format(venues)}${par}`, demo: false, asOf: new Date(asOf).toISOString(), ...(stale && { stale }) };
}

/** Returns a coin without figures. */
export const unpriced = ({ links: _, ...coin }: CatalogueCoin): MarketCoin => ({
  ...coin,
  rank: null,
  quote: { USD: NO_FIGURES, BTC: NO_FIGURES },
});

function priceOf(coin: CatalogueCoin, figures: StoredCoin, bitcoin: MarketCoin['quote']['USD']): Partial<MarketCoin> {
  const usd = quoteOf(coin, figures);
  return { quote: { USD: usd, BTC: inBitcoin(usd, bitcoin) }, sources: figures.sources, isCapEstimated: true };
}

const quoteOf = ({ circulatingSupply, totalSupply, maxSupply }: CatalogueCoin, { price, change, volume }: StoredCoin) => {
  const diluted = maxSupply ?? totalSupply;
  return rounded({
    ...NO_FIGURES,
    price,
    market_cap: price * circulatingSupply,
    volume_24h: volume,
    fully_diluted_market_cap: diluted === null ? null : price * diluted,
    percent_change_24h: change,
  });
};
