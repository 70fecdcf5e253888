/** Where pictures of coins come from (spec §7, External loads). */
export const COIN_IMAGE_HOST = 'https://s2.coinmarketcap.com';
const REMOTE = `${COIN_IMAGE_HOST}/static/img/coins/64x64/`;

/** The provider's picture of a coin, by CoinMarketCap's id. */
export const remoteCoinImage = (id: number): string => `${REMOTE}${id}.png`;

/** Where the logo of a coin lies that ships with the app. */
export const localCoinImage = (id: number): string => `/coins/${id}.svg`;

/** The worker's cache of both. */
export const COIN_IMAGE_CACHE = 'coin-images';

/** Whether the worker keeps what this address answers. */
export const isCoinImage = ({ href, origin, pathname }: URL, ownOrigin: string): boolean =>
  origin === ownOrigin ? /^\/coins\/\d+\.svg$/.test(pathname) : href.startsWith(REMOTE);
