import { EXCHANGE_REGIONS, type ExchangeRegion } from '#server/settings/settings.ts';
import type { ApiUrls } from '../live/home-search.ts';

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

/** Paths of the streams: of an account, and of the market of linear perpetuals. */
const STREAM_PATHS = { private: '/v5/private', market: '/v5/public/linear' } as const;

/** Returns the address of the streams that belong to an address of the API. */
export function streamUrl(apiUrl: string, stream: keyof typeof STREAM_PATHS): string {
  const url = new URL(apiUrl);
  url.protocol = url.protocol === 'http:' ? 'ws:' : 'wss:';
  url.hostname = url.hostname.replace(/^api(?=[.-])/, 'stream');
  url.pathname = STREAM_PATHS[stream];
  return url.href;
}
