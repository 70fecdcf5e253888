import { useEffect } from 'react';
import { useResource } from '#client/platform/cache/use-resource.ts';
import { useLocation } from '#client/platform/router/history.ts';
import { EmptyState } from '#client/ui/feedback/page-state.tsx';
import { readChoice } from '#domain/market/list-address.ts';
import { sortCoins } from '#domain/market/sort-coins.ts';
import { coinListResource } from '../list/coin-list-resource.ts';
import { CoinDetails } from './coin-details.tsx';
import styles from './first-coin.module.css';

/** Fills the details pane until the user selects a coin: with the first coin of the list as it was when the page opened. */
export function FirstCoin({ id, onOpen }: { id: number | undefined; onOpen: (id: number) => void }) {
  const choice = readChoice(useLocation().search);
  const list = useResource(coinListResource, choice);
  const first = list.data && sortCoins(list.data.coins, choice.sort ?? '', choice.currency)[0]?.id;
  useEffect(() => {
    if (id === undefined && first !== undefined) onOpen(first);
  }, [id, first, onOpen]);
  if (id !== undefined) return <CoinDetails id={id} />;
  return (
    <div className={styles.place}>{!list.isLoading && first === undefined && <EmptyState title="Choose a coin to see its figures." />}</div>
  );
}
