import { type Clock, MINUTE, SECOND } from '#domain/clock.ts';
import { PRODUCT } from '#domain/product.ts';
import { runOnce } from '#domain/run-once.ts';
import type { Budgets } from '#server/budgets.ts';
import { measureCall } from '#server/metrics/measurements.ts';
import { loadCcxt } from '#server/ports/load-ccxt.ts';
import { retryAfter } from '#server/ports/retry-after.ts';
import { TryLater } from '../last-good.ts';
import { createLimitedFetch } from './limited-fetch.ts';
import { createRest, VenueError, type VenueTrouble } from './rest.ts';
import type { Call, Venue } from './venue.ts';

/** Time limit of a whole answer, ms. */
const PATIENCE = 8 * SECOND;

/** Calls to a venue in a minute, of all processes: far below what each exchange allows. Charts never starve prices. */
const BUDGETS = { prices: 30, candles: 60 } as const;
type Purpose = keyof typeof BUDGETS;

const TROUBLES: Readonly<Record<number, VenueTrouble>> = { 403: 'refused', 418: 'banned', 429: 'limit', 451: 'refused' };

/** The parts of ccxt in use. */
interface Ccxt {
  urls: { api: object };
  fetchImplementation: unknown;
  handleErrors: (status: number, reason: string, url: string, method: string, headers: Record<string, string>) => true;
  request(path: string, api: string | readonly string[], method: 'GET', params: object): Promise<unknown>;
  safeCurrencyCode(code: string): string;
}

export interface VenueClient {
  readonly venue: Venue;
  /** Sends a call. Rejects with `VenueError`, or with `TryLater` when it is not sent. */
  ask<Result>(call: Call<Result>, purpose: Purpose): Promise<Result>;
  /** Returns the common code of a currency that the exchange calls otherwise, such as BTC for XBT. */
  commonCode(code: string): string;
  /** Returns for how long the venue is left alone, ms. */
  left(): number;
}

export interface VenueClientOptions {
  venue: Venue;
  clock: Clock;
  budgets: Budgets;
  /** Another address of the API. */
  url?: string | undefined;
  /** Time limit of a whole answer, ms; tests shorten it. */
  patience?: number;
}

/** Creates the client of a venue, which loads ccxt with the first call. */
export function createVenueClient({ venue, clock, budgets, url = venue.url, patience = PATIENCE }: VenueClientOptions): VenueClient {
  const rest = createRest(clock);
  const limitedFetch = createLimitedFetch(patience);
  let loaded: Ccxt | undefined;

  const refusal = (status: number, headers: Headers): VenueError =>
    new VenueError(TROUBLES[status] ?? 'failed', `HTTP ${status}`, retryAfter(headers, clock()));

  /** Loads ccxt once the exchange can be reached: its classes take 40 MB, which a server without a network does not need. */
  const load = runOnce(async (): Promise<Ccxt> => {
    const { status, headers } = await limitedFetch(`${url}${venue.ping}`, { method: 'GET', headers: { 'user-agent': PRODUCT } });
    if (TROUBLES[status]) throw refusal(status, headers);
    const Client = await loadCcxt<new (options: object) => Ccxt>(venue.id);
    const client = new Client({ timeout: patience, enableRateLimit: false, userAgent: PRODUCT });
    client.urls.api = venue.addresses(url);
    client.fetchImplementation = limitedFetch;
    client.handleErrors = (status, _reason, _url, _method, answered) => {
      if (status < 400) return true;
      throw refusal(status, new Headers(answered));
    };
    loaded = client;
    return client;
  });

  async function send<Result>({ path, params, read }: Call<Result>): Promise<Result> {
    try {
      const client = await load();
      const answer = await client.request(path, venue.api, 'GET', params);
      const trouble = venue.troubleOf?.(answer);
      if (trouble) throw new VenueError(trouble, 'its answer is an error');
      return read(answer);
    } catch (error) {
      if (error instanceof VenueError) throw error;
      throw new VenueError('failed', reasonOf(error));
    }
  }

  return {
    venue,
    left: rest.left,
    commonCode: (code) => loaded?.safeCurrencyCode(code) ?? code,
    async ask(call, purpose) {
      rest.demand(venue.name);
      const isCovered = await budgets.take(`market ${venue.id} ${purpose}`, { max: BUDGETS[purpose], span: MINUTE });
      if (!isCovered) throw new TryLater(`${venue.name} was not asked: the calls of this minute are spent`, MINUTE - (clock() % MINUTE));
      try {
        const result = await measureCall('exchanges', () => send(call));
        rest.answered();
        return result;
      } catch (error) {
        if (error instanceof VenueError) rest.failed(error);
        throw error;
      }
    },
  };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return (error.cause instanceof Error ? error.cause.message : error.message).slice(0, 200);
}
