import { type Clock, HOUR } from '#domain/clock.ts';
import { lastGood } from '../last-good.ts';
import type { Catalogue } from './catalogue.ts';
import type { VenueClient } from './venue-client.ts';

/** How long the list of a venue's markets is good: new and ended markets are known after this, ms. */
const LIFETIME = 6 * HOUR;

/** An open market, with common codes. */
export interface KnownMarket {
  /** The exchange's name of it. */
  id: string;
  /** Id of the coin that it trades; null if the catalogue does not know it, or for money such as EUR. */
  coin: number | null;
  base: string;
  quote: string;
}

export interface KnownMarkets {
  /** Rejects when there was never an answer. */
  get(): Promise<ReadonlyMap<string, KnownMarket>>;
}

/** Creates the list of a venue's open markets, by their ids. */
export function createKnownMarkets(client: VenueClient, { catalogue, clock }: { catalogue: Catalogue; clock: Clock }): KnownMarkets {
  const { venue, commonCode } = client;

  async function ask(): Promise<ReadonlyMap<string, KnownMarket>> {
    const markets = await client.ask(venue.markets, 'prices');
    if (markets.length === 0) throw new Error(`${venue.name} has no open market`);
    return new Map(
      markets.map((market) => {
        const base = commonCode(market.base);
        const coin = catalogue.find(venue.id, base)?.id ?? null;
        return [market.id, { id: market.id, coin, base, quote: commonCode(market.quote) }];
      }),
    );
  }

  // The caller reports failures.
  const kept = lastGood({ ask, lifetime: LIFETIME, clock, onFailure: () => undefined });
  return { get: async () => (await kept.get()).value };
}
