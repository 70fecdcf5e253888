import { useEffect } from 'react';
import type { ResourceState } from '#client/platform/cache/use-resource.ts';
import { EmptyState } from '#client/ui/feedback/page-state.tsx';
import type { ListChoice } from '#domain/market/list-address.ts';
import { sortCoins } from '#domain/market/sort-coins.ts';
import type { CoinListData } from '../list/coin-list-resource.ts';
import { CoinDetails } from './coin-details.tsx';
import styles from './first-coin.module.css';

interface FirstCoinProps {
  /** The coin that has opened. */
  id: number | undefined;
  list: ResourceState<CoinListData>;
  choice: ListChoice;
  onOpen: (id: number) => void;
}

/** Fills the details pane until the user selects a coin: with the first coin of the list as it was when the page opened. */
export function FirstCoin({ id, list, choice, onOpen }: FirstCoinProps) {
  const first = list.data && sortCoins(list.data.coins, choice.sort ?? '', choice.currency)[0]?.id;
  useEffect(() => {
    if (id === undefined && first !== undefined) onOpen(first);
  }, [id, first, onOpen]);
  if (id !== undefined) return <CoinDetails id={id} />;
  return (
    <div className={styles.place}>{!list.isLoading && first === undefined && <EmptyState title="Choose a coin to see its figures." />}</div>
  );
}
