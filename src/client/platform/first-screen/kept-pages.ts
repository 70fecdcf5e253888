/** Pages that users start the app with. */
const KEPT = [
  '/home',
  '/crypto',
  '/crypto/watchlist',
  '/archive',
  '/settings/account',
  '/settings/watchlist',
  /^\/crypto\/details\/\d{1,9}$/,
  /^\/chat\/archive\/[\w-]{1,64}$/,
];
/** Characters of path and search. */
const MAX_ADDRESS_LENGTH = 200;

/** Returns whether the device keeps a first screen of the page at this address. */
export const isKeptPage = ({ pathname, search }: Pick<URL, 'pathname' | 'search'>): boolean =>
  pathname.length + search.length <= MAX_ADDRESS_LENGTH &&
  KEPT.some((path) => (typeof path === 'string' ? path === pathname : path.test(pathname)));
