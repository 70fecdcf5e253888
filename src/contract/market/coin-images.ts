/** Host of coin pictures. */
export const COIN_IMAGE_HOST = 'https://s2.coinmarketcap.com';
const REMOTE = `${COIN_IMAGE_HOST}/static/img/coins/64x64/`;

/** Returns the provider's picture of a coin, by CoinMarketCap's id. */
export const remoteCoinImage = (id: number): string => `${REMOTE}${id}.png`;

/** Returns the path of a logo that ships with the app. */
export const localCoinImage = (id: number): string => `/coins/${id}.webp`;

/** The worker's cache of both. */
export const COIN_IMAGE_CACHE = 'coin-images';

/** Tests whether the worker caches this address. */
export const isCoinImage = ({ href, origin, pathname }: URL, ownOrigin: string): boolean =>
  origin === ownOrigin ? /^\/coins\/\d+\.webp$/.test(pathname) : href.startsWith(REMOTE);
