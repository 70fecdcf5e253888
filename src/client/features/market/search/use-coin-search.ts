import { useMemo, useState } from 'react';
import useSWR from 'swr';
import { call } from '#client/platform/api/call.ts';
import { type UserDb, userDb } from '#client/platform/db/user-db.ts';
import { useClaims } from '#client/platform/session/use-session.ts';
import { type SearchHit, searchAnswer } from '#contract/market/search.ts';
import { searchCoins } from '#domain/market/coin-search.ts';
import { rememberCoins, useDeviceCoins } from './device-coins.ts';

export interface CoinSearch {
  /** Undefined while nothing was found and the server has not answered yet. */
  hits: SearchHit[] | undefined;
  /** The server did not answer: only coins on this device were searched. */
  onlyDevice: boolean;
}

/** Encodes the text as a path segment. Empty text and dots get a space, because URLs resolve `.` and `..`. */
function pathPart(text: string): string {
  const wellFormed = text.replace(/\p{Surrogate}/gu, '\u{FFFD}');
  return encodeURIComponent(/^\.*$/.test(wellFormed) ? `${wellFormed} ` : wellFormed);
}

async function searchServer(text: string): Promise<SearchHit[]> {
  const { data } = await call(`/coin-market/global-search/${pathPart(text)}`, { answer: searchAnswer });
  return data;
}

const keyOf = (db: UserDb, text: string) => `${db.name}/coin-search/${text}`;

/** Returns the coins on this device, and a function that stores what the server found. */
function useRememberedCoins(db: UserDb) {
  const [added, setAdded] = useState(0);
  const coins = useDeviceCoins(db, added);
  const remember = (hits: SearchHit[]) => {
    rememberCoins(db, hits).then(
      (fresh) => fresh > 0 && setAdded((before) => before + fresh),
      (error) => console.error('storing search results failed', error),
    );
  };
  return { coins, remember };
}

/** Searches coins on the server. Until it answers, and if it does not, returns matches on this device. */
export function useCoinSearch(text: string): CoinSearch {
  const db = userDb(useClaims().sub);
  const { coins, remember } = useRememberedCoins(db);
  const here = useMemo(() => coins && searchCoins(coins, text), [coins, text]);
  const there = useSWR(keyOf(db, text), () => searchServer(text), { keepPreviousData: true, onSuccess: remember });

  if (there.error) return { hits: here, onlyDevice: true };
  const early = here && here.length > 0 ? here : undefined;
  return { hits: there.data ?? early, onlyDevice: false };
}

/**
 * Searches coins with each key: matches on this device at once, then the server's after them, so that no row changes its place
 * under the user's finger. `settled` is `text` once the user pauses; the server is asked for no other.
 */
export function useCoinsAsTyped(text: string, settled: string): CoinSearch {
  const db = userDb(useClaims().sub);
  const { coins, remember } = useRememberedCoins(db);
  const here = useMemo(() => coins && searchCoins(coins, text), [coins, text]);
  const there = useSWR(text === settled ? keyOf(db, text) : null, () => searchServer(text), { onSuccess: remember });

  const found = there.data ?? [];
  if (!here) return { hits: there.data, onlyDevice: false };
  const fresh = new Map(found.map((hit) => [hit.id, hit]));
  const known = new Set(here.map(({ id }) => id));
  const hits = [...here.map((hit) => fresh.get(hit.id) ?? hit), ...found.filter(({ id }) => !known.has(id))];
  const isAnswered = there.data !== undefined || there.error !== undefined;
  return { hits: hits.length > 0 || isAnswered ? hits : undefined, onlyDevice: there.error !== undefined };
}
