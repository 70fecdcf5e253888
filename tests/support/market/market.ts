import type { Quote } from '#contract/market/market.ts';
import { createDemoMarket } from '#server/ports/market-data/demo-market.ts';
import type { MarketCoin, MarketData } from '#server/ports/market-data/market-data.ts';
import { quote } from './quotes.ts';

/** A Wednesday on which demo prices differ clearly from the snapshot. */
export const WEDNESDAY = Date.UTC(2026, 4, 13, 9, 30);

/** Creates a demo market whose clock stands still. */
export const stillMarket = (time = WEDNESDAY): MarketData => createDemoMarket({ clock: () => time, seed: 1, tickMs: 5000 });

/** Returns a market that forwards each call to `current()`, so that a test can swap the provider of a running server. */
export const changingMarket = (current: () => MarketData): MarketData => ({
  snapshot: () => current().snapshot(),
  ranking: (type) => current().ranking(type),
  details: (id) => current().details(id),
  searchMap: () => current().searchMap(),
  known: () => current().known(),
  btcCandles: () => current().btcCandles(),
});

interface CoinOptions extends Partial<Omit<MarketCoin, 'quote' | 'tags'>> {
  usd?: Partial<Quote>;
  btc?: Partial<Quote>;
  tags?: readonly string[];
}

/** Creates a coin with only these figures known. */
export const coinWith = ({ usd, btc, tags = [], ...facts }: CoinOptions): MarketCoin => ({
  id: 9,
  name: 'Nine',
  symbol: 'NIN',
  rank: 9,
  dateAdded: '2020-01-01',
  circulatingSupply: null,
  totalSupply: null,
  maxSupply: null,
  ...facts,
  tags: tags.map((slug) => ({ slug, name: slug })),
  quote: { USD: quote(usd ?? {}), BTC: quote(btc ?? {}) },
});
