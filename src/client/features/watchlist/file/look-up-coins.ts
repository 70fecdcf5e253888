import { call } from '#client/platform/api/call.ts';
import type { UserDb } from '#client/platform/db/user-db.ts';
import { type SearchHit, searchAnswer } from '#contract/market/search.ts';
import type { CsvCoin } from '#domain/market/watchlist-csv.ts';
import { fold } from '#domain/text.ts';

type Known = Pick<SearchHit, 'id' | 'symbol' | 'name'>;

export interface LookUp {
  known: Known[];
  /** Some entries were searched on this device only. */
  isPartial: boolean;
}

/** Entries that the server is asked about. A file with more has few real coins among them. */
const MAX_SEARCHES = 60;
/** Characters of a search. */
const MAX_SEARCH = 60;

/** Returns the coins that entries of a file can mean: those on the device, and those the server finds for the others. */
export async function lookUpCoins(db: UserDb, entries: readonly CsvCoin[]): Promise<LookUp> {
  const known: Known[] = (await db.coins.toArray()).map(({ id, symbol, name }) => ({ id, symbol, name }));
  const ids = new Set(known.map(({ id }) => id));
  const symbols = new Set(known.map(({ symbol }) => fold(symbol)));
  const missing = entries.filter(({ id, symbol }) => (id === undefined ? !symbols.has(fold(symbol)) : !ids.has(id)));
  const texts = [...new Set(missing.map(({ symbol, name }) => fold(symbol || name)))].filter((text) => /[\p{L}\p{N}]/u.test(text));
  let searched = 0;
  for (const text of texts.slice(0, MAX_SEARCHES)) {
    try {
      const path = encodeURIComponent(text.slice(0, MAX_SEARCH).replace(/\p{Surrogate}/gu, '\u{FFFD}'));
      const { data } = await call(`/coin-market/global-search/${path}`, { answer: searchAnswer });
      known.push(...data);
      searched += 1;
    } catch {
      break; // offline, or too many requests: the preview says that the search is partial
    }
  }
  return { known, isPartial: searched < texts.length };
}
