import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import type { CoinName, CoinTag } from '#domain/market/coin.ts';
import { readBundledMarket, snapshotFile } from '../bundled.ts';
import type { CoinLinks } from '../market-data.ts';
import type { VenueId } from './venue.ts';

const NO_LINKS: CoinLinks = { website: null, technicalDoc: null, reddit: null, sourceCode: null, explorer: null };

/**
 * Ids of coins whose symbol means several coins, or that an exchange lists under a symbol of its own. A symbol that means
 * several coins and is not here is left out.
 */
const OWN_SYMBOLS: Readonly<Record<VenueId, Readonly<Record<string, number>>>> = {
  // BitTorrent.
  binance: { BTTC: 16086 },
  coinbase: {},
  kraken: {},
  // Velo, not Velodrome.
  okx: { VELO: 7127 },
};

const listed = z.object({
  ambiguous: z.array(z.string()),
  coins: z.array(z.object({ id: z.int(), symbol: z.string(), name: z.string(), supply: z.number() })),
});

/** What is known of a coin without a provider. */
export interface CatalogueCoin extends Omit<CoinName, 'rank'> {
  dateAdded: string;
  circulatingSupply: number;
  totalSupply: number | null;
  maxSupply: number | null;
  tags: readonly CoinTag[];
  links: CoinLinks;
}

export interface Catalogue {
  /** By market cap on the day of the catalogue, the largest first. */
  coins: readonly CatalogueCoin[];
  /** Returns the coin that an exchange means by a symbol; undefined if it is unknown or could be several. */
  find(venue: VenueId, symbol: string): CatalogueCoin | undefined;
}

/** Reads the bundled catalogue: names and supplies of August 2026, joined with tags and links of the demo market's coins. */
export function readCatalogue(): Catalogue {
  const { ambiguous, coins: newer } = z.parse(listed, JSON.parse(readFileSync(snapshotFile('catalogue.json'), 'utf8')));
  const { coins: older, tagNames } = readBundledMarket();
  const described = new Map(older.map((coin) => [coin.id, coin]));
  const listedIds = new Set(newer.map(({ id }) => id));
  const unlisted = older
    .filter(({ id }) => !listedIds.has(id))
    .map(({ id, symbol, name, circulatingSupply }) => ({ id, symbol, name, supply: circulatingSupply }));

  const coins = [...newer, ...unlisted].map(({ id, symbol, name, supply }): CatalogueCoin => {
    const facts = described.get(id);
    const total = facts?.totalSupply ?? null;
    return {
      id,
      name,
      symbol,
      dateAdded: facts?.dateAdded ?? '',
      circulatingSupply: supply,
      // The older figure may be below what circulates by the newer one.
      totalSupply: total !== null && total >= supply ? total : null,
      maxSupply: facts?.maxSupply ?? null,
      tags: (facts?.tags ?? []).map((slug) => ({ slug, name: tagNames[slug] ?? slug })),
      links: { ...NO_LINKS, ...facts?.links },
    };
  });

  const byId = new Map(coins.map((coin) => [coin.id, coin]));
  const unclear = new Set(ambiguous);
  const bySymbol = new Map(coins.filter(({ symbol }) => !unclear.has(symbol)).map((coin) => [coin.symbol, coin]));

  return {
    coins,
    find(venue, symbol) {
      const own = OWN_SYMBOLS[venue];
      return Object.hasOwn(own, symbol) ? byId.get(own[symbol] ?? 0) : bySymbol.get(symbol);
    },
  };
}
