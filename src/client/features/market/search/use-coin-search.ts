import { useMemo, useState } from 'react';
import useSWR from 'swr';
import { call } from '#client/platform/api/call.ts';
import { userDb } from '#client/platform/db/user-db.ts';
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

/** Searches coins on the server. Until it answers, and if it does not, returns matches on this device. */
export function useCoinSearch(text: string): CoinSearch {
  const db = userDb(useClaims().sub);
  const [added, setAdded] = useState(0);
  const coins = useDeviceCoins(db, added);
  const here = useMemo(() => coins && searchCoins(coins, text), [coins, text]);
  const there = useSWR(`${db.name}/coin-search/${text}`, () => searchServer(text), {
    keepPreviousData: true,
    onSuccess: (hits) => {
      rememberCoins(db, hits).then(
        (fresh) => fresh > 0 && setAdded((before) => before + fresh),
        (error) => console.error('storing search results failed', error),
      );
    },
  });

  if (there.error) return { hits: here, onlyDevice: true };
  const early = here && here.length > 0 ? here : undefined;
  return { hits: there.data ?? early, onlyDevice: false };
}
