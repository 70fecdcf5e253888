import { type Clock, MINUTE } from '#domain/clock.ts';

/** At least one address of an API, the one in use first. */
export type ApiUrls = readonly [string, ...string[]];

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
