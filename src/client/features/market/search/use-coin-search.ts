import { useMemo, useState } from 'react';
import useSWR from 'swr';
import { call } from '#client/platform/api/call.ts';
import { userDb } from '#client/platform/db/user-db.ts';
import { useClaims } from '#client/platform/session/use-session.ts';
import { type SearchHit, searchAnswer } from '#contract/market/market.ts';
import { searchCoins } from '#domain/market/coin-search.ts';
import { rememberCoins, useDeviceCoins } from './device-coins.ts';

export interface CoinSearch {
  /** Undefined while nothing was found and the server has not answered yet. */
  hits: SearchHit[] | undefined;
  /** The server could not be asked: only coins on this device were searched. */
  onlyDevice: boolean;
}

/** The text as a part of a path: a space when empty (spec §7), and never `..`, which an address takes for a way up. */
function pathPart(text: string): string {
  const wellFormed = text.replace(/\p{Surrogate}/gu, '\u{FFFD}');
  return encodeURIComponent(/^\.*$/.test(wellFormed) ? `${wellFormed} ` : wellFormed);
}

async function searchServer(text: string): Promise<SearchHit[]> {
  const { data } = await call(`/coin-market/global-search/${pathPart(text)}`, { answer: searchAnswer });
  return data;
}

/** Coins that match `text`: the server's answer, and until it comes, or where it does not, what the device finds. */
export function useCoinSearch(text: string): CoinSearch {
  const db = userDb(useClaims().sub);
  const [learnt, setLearnt] = useState(0);
  const coins = useDeviceCoins(db, learnt);
  const here = useMemo(() => coins && searchCoins(coins, text), [coins, text]);
  const there = useSWR(`${db.name}/coin-search/${text}`, () => searchServer(text), {
    keepPreviousData: true,
    onSuccess: (hits) => {
      rememberCoins(db, hits).then(
        (fresh) => fresh > 0 && setLearnt((before) => before + fresh),
        (error) => console.error('what was found could not be kept', error),
      );
    },
  });

  if (there.error) return { hits: here, onlyDevice: true };
  const early = here && here.length > 0 ? here : undefined;
  return { hits: there.data ?? early, onlyDevice: false };
}
