import { useRef } from 'react';
import useSWR from 'swr';
import type { UserDb } from '#client/platform/db/user-db.ts';
import { useDebounced } from '#client/ui/hooks/use-debounced.ts';
import { passes } from '#domain/market/filters.ts';
import { type Filters, filterRequest, firstList, type ListChoice, listKey } from '#domain/market/list-address.ts';
import { type CoinListAnswer, coinListResource } from '../list/coin-list-resource.ts';

const LARGEST_LIST = 100;
/** Age from which an answer is not applied, ms: the list would call it new. */
const FRESH_MS = 30_000;

/** Says how many coins match. Undefined from a server that does not count. */
function countOf({ matches }: CoinListAnswer, { top }: ListChoice): string | undefined {
  if (matches === undefined) return undefined;
  return `${coins(matches)} match${matches === 1 ? 'es' : ''}${matches > top ? `. The list shows ${top}` : ''}`;
}

/** Counts the matches in the stored list of the ranking. */
async function countOnDevice(db: UserDb, { filters, ...choice }: ListChoice): Promise<string> {
  const stored = await coinListResource.read(db, { ...choice, top: LARGEST_LIST, filters: {} }, true);
  if (!stored) return 'The count needs a connection';
  const matches = stored.coins.filter((coin) => passes(coin, filterRequest(filters), choice.currency)).length;
  return `Offline: ${matches} of ${coins(stored.coins.length)} on this device match`;
}

const coins = (count: number): string => `${count} coin${count === 1 ? '' : 's'}`;

/** Returns a function that asks for the first rows of a list, or gives the last answer once more. */
function useFirstRows() {
  const last = useRef<{ key: string; at: number; answer: Promise<CoinListAnswer> }>(undefined);
  return (choice: ListChoice): Promise<CoinListAnswer> => {
    const list = firstList(choice);
    const key = listKey(list);
    if (last.current?.key === key && Date.now() - last.current.at < FRESH_MS) return last.current.answer;
    const asked = { key, at: Date.now(), answer: coinListResource.fetch(list) };
    last.current = asked;
    asked.answer.catch(() => {
      if (last.current === asked) last.current = undefined;
    });
    return asked.answer;
  };
}

/**
 * Says how many coins match the filters of an open form, once typing pauses; `undefined` filters are invalid. The count comes with the first
 * rows of the list, so that they are here when the user applies the filters.
 */
export function useMatches(db: UserDb, choice: ListChoice, filters: Filters | undefined) {
  const firstRows = useFirstRows();
  const asked = useDebounced(filters ? JSON.stringify(filters) : '');
  const { data } = useSWR(
    asked && `${db.name}/matches/${choice.currency}/${choice.ranking}/${choice.top}/${asked}`,
    async () => {
      const wanted = { ...choice, filters: JSON.parse(asked) as Filters };
      return firstRows(wanted).then(
        (answer) => countOf(answer, wanted),
        () => countOnDevice(db, wanted),
      );
    },
    { keepPreviousData: true },
  );
  return { count: filters && data ? data : '', firstRows };
}
