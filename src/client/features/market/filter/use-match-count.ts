import useSWR from 'swr';
import { call } from '#client/platform/api/call.ts';
import type { UserDb } from '#client/platform/db/user-db.ts';
import { useDebounced } from '#client/ui/hooks/use-debounced.ts';
import { marketListAnswer } from '#contract/market/market.ts';
import { passes } from '#domain/market/filters.ts';
import { type Filters, filterRequest, type ListChoice, listRequest } from '#domain/market/list-address.ts';
import { coinListResource } from '../list/coin-list-resource.ts';

const LARGEST_LIST = 100;

/** Asks the server how many coins match. Undefined from a server that does not count. */
async function countOnServer(choice: ListChoice): Promise<string | undefined> {
  const body = { ...listRequest(choice), limit: 1 };
  const { data } = await call('/coin-market/get-data', { method: 'POST', body, answer: marketListAnswer });
  if (data.matches === undefined) return undefined;
  return `${coins(data.matches)} match${data.matches === 1 ? 'es' : ''}${data.matches > choice.top ? `. The list shows ${choice.top}` : ''}`;
}

/** Counts the matches in the stored list of the ranking. */
async function countOnDevice(db: UserDb, { filters, ...choice }: ListChoice): Promise<string> {
  const stored = await coinListResource.read(db, { ...choice, top: LARGEST_LIST, filters: {} }, true);
  if (!stored) return 'The count needs a connection';
  const matches = stored.coins.filter((coin) => passes(coin, filterRequest(filters), choice.currency)).length;
  return `Offline: ${matches} of ${coins(stored.coins.length)} on this device match`;
}

const coins = (count: number): string => `${count} coin${count === 1 ? '' : 's'}`;

/** Says how many coins match the filters of an open form, once typing pauses. `undefined` filters are invalid. */
export function useMatchCount(db: UserDb, choice: ListChoice, filters: Filters | undefined): string {
  const asked = useDebounced(filters ? JSON.stringify(filters) : '');
  const { data } = useSWR(
    asked && `${db.name}/matches/${choice.currency}/${choice.ranking}/${choice.top}/${asked}`,
    async () => {
      const wanted = { ...choice, filters: JSON.parse(asked) as Filters };
      return countOnServer(wanted).catch(() => countOnDevice(db, wanted));
    },
    { keepPreviousData: true },
  );
  return filters && data ? data : '';
}
