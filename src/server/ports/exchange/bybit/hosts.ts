import { type Clock, MINUTE } from '#domain/clock.ts';
import { EXCHANGE_REGIONS, type ExchangeRegion } from '#server/settings/settings.ts';

/** Domains of Bybit's sites. A key works only at the site where its account was registered. */
const DOMAINS: Record<ExchangeRegion, string> = {
  global: 'bybit.com',
  eu: 'bybit.eu',
  nl: 'bybit.nl',
  tr: 'bybit.tr',
  kz: 'bybit.kz',
  ge: 'bybitgeorgia.ge',
  ae: 'bybit.ae',
  id: 'bybit.id',
  jp: 'manepa.jp',
};

/** At least one address. */
export type ApiUrls = readonly [string, ...string[]];

interface Site {
  region: ExchangeRegion;
  testnet: boolean;
  /** Another address of the API; undefined for Bybit's own. */
  baseUrl: string | undefined;
}

/** Returns the addresses of the API, the one in use first. A key that is unknown there may belong to another one. */
export function apiUrls({ region, testnet, baseUrl }: Site): ApiUrls {
  if (baseUrl !== undefined) return [baseUrl];
  if (testnet) return [`https://api-testnet.${region === 'jp' ? DOMAINS.jp : DOMAINS.global}`];
  const urlOf = (some: ExchangeRegion) => `https://api.${DOMAINS[some]}`;
  return [urlOf(region), ...EXCHANGE_REGIONS.filter((other) => other !== region).map(urlOf)];
}

/** Returns the address of the private streams that belong to an address of the API. */
export function streamUrl(apiUrl: string): string {
  const url = new URL(apiUrl);
  url.protocol = url.protocol === 'http:' ? 'ws:' : 'wss:';
  url.hostname = url.hostname.replace(/^api(?=[.-])/, 'stream');
  url.pathname = '/v5/private';
  return url.href;
}

/** How often the site of an unknown key is searched, ms. */
const SEARCH_INTERVAL = 10 * MINUTE;

interface HomeSearch {
  clock: Clock;
  urls: readonly string[];
  isKnownAt: (url: string) => Promise<boolean>;
}

/** Creates the search for the address where a key is known; undefined if there is none. Calls of ten minutes share one search. */
export function createHomeSearch({ clock, urls, isKnownAt }: HomeSearch): () => Promise<string | undefined> {
  let searchedAt = Number.NEGATIVE_INFINITY;
  let found: Promise<string | undefined> | undefined;

  async function search(): Promise<string | undefined> {
    for (const url of urls) if (await isKnownAt(url)) return url;
    return undefined;
  }

  return async () => {
    if (Math.abs(clock() - searchedAt) < SEARCH_INTERVAL) return found;
    searchedAt = clock();
    found = search();
    return found;
  };
}
