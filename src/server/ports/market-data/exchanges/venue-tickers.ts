import type { Clock } from '#domain/clock.ts';
import type { KnownMarkets } from './known-markets.ts';
import type { Quoted } from './quoted.ts';
import type { VenueClient } from './venue-client.ts';

/** A venue's last good answer. */
interface Answered {
  quoted: readonly Quoted[];
  /** ms UTC. */
  at: number;
}

export interface VenueTickers {
  readonly client: VenueClient;
  /** Returns the last good answer without a request. */
  last(): Answered | undefined;
  /** Returns whether the last finished request failed. */
  isFailing(): boolean;
  /** Returns whether a request is under way. */
  isAsked(): boolean;
  /** Asks the venue, unless a request is under way. Resolves with whether it answered; never rejects. */
  renew(): Promise<boolean>;
}

interface Parts {
  client: VenueClient;
  markets: KnownMarkets;
  clock: Clock;
  /** Receives each failure once, and `undefined` when the venue answers again. */
  report: (error: unknown) => void;
}

/** Keeps the tickers of a venue's open markets. */
export function createVenueTickers({ client, markets, clock, report }: Parts): VenueTickers {
  let last: Answered | undefined;
  let isFailing = false;
  let flight: Promise<boolean> | undefined;

  async function load(): Promise<void> {
    const open = await markets.get();
    const tickers = await client.ask(client.venue.tickers, 'prices');
    const at = clock();
    const quoted = tickers.flatMap(({ id, price, open: before, volume, at: traded }): Quoted[] => {
      // Answers also have markets that have ended.
      const market = open.get(id);
      if (!market) return [];
      const { coin, base, quote } = market;
      return [{ venue: client.venue.id, coin, base, quote, price, open: before, volume, at: traded ?? at }];
    });
    if (quoted.length === 0) throw new Error('no market has a price');
    last = { quoted, at };
  }

  async function renewOnce(): Promise<boolean> {
    try {
      await load();
      if (isFailing) report(undefined);
      isFailing = false;
    } catch (error) {
      if (!isFailing) report(error);
      isFailing = true;
    }
    flight = undefined;
    return !isFailing;
  }

  return {
    client,
    last: () => last,
    isFailing: () => isFailing,
    isAsked: () => flight !== undefined,
    renew() {
      flight ??= renewOnce();
      return flight;
    },
  };
}
