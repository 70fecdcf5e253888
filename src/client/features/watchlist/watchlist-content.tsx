import { useState } from 'react';
import { coinRowOutline } from '#client/coins/coin-row.tsx';
import { CoinTable } from '#client/coins/coin-table.tsx';
import { PlainHeads } from '#client/coins/wide/plain-heads.tsx';
import { errorMessage } from '#client/platform/api/errors.ts';
import type { ResourceState } from '#client/platform/cache/use-resource.ts';
import { Button, ButtonLink } from '#client/ui/buttons/button.tsx';
import { EmptyState, ErrorState } from '#client/ui/feedback/page-state.tsx';
import { SkeletonRows } from '#client/ui/feedback/skeleton.tsx';
import { Illustration } from '#client/ui/graphics/illustration.tsx';
import { SEARCH } from '#client/ui/graphics/scenes.ts';
import type { ListChoice } from '#domain/market/list-address.ts';
import { OrderedRows } from './order/ordered-rows.tsx';
import { useHearts } from './use-watched.ts';
import type { WatchlistData } from './watchlist-resource.ts';
import { type RemovedCoin, WatchlistRows } from './watchlist-rows.tsx';

interface WatchlistContentProps {
  list: ResourceState<WatchlistData>;
  /** The list's data, or the previous list's while it is read. */
  data: WatchlistData | undefined;
  choice: ListChoice;
  searched: boolean;
  /** The user orders the list. */
  ordering: boolean;
  onClear: () => void;
}

/** The watched coins, or why there are none. */
export function WatchlistContent({ list, data, choice, searched, ordering, onClear }: WatchlistContentProps) {
  const { period } = choice;
  const [removed, setRemoved] = useState<readonly RemovedCoin[]>([]);
  const hearts = useHearts();
  if (!data && list.isLoading) {
    return (
      <CoinTable heads={<PlainHeads period={period} />}>
        <SkeletonRows count={8} row={coinRowOutline} />
      </CoinTable>
    );
  }
  if (!data) {
    return (
      <ErrorState
        title="Your watchlist could not be loaded"
        detail={`${errorMessage(list.error)} It is safe on the server, and stays on this device once loaded.`}
        action={<Button onClick={() => void list.refresh()}>Try again</Button>}
      />
    );
  }
  const undoable = searched ? [] : removed;
  if (data.coins.length + undoable.length > 0) {
    return (
      <CoinTable heads={<PlainHeads period={period} />}>
        {ordering ? (
          <OrderedRows coins={data.coins} ids={hearts?.ids ?? []} choice={choice} />
        ) : (
          <WatchlistRows coins={data.coins} removed={undoable} onRemoved={setRemoved} choice={choice} />
        )}
      </CoinTable>
    );
  }
  return searched ? (
    <EmptyState
      illustration={<Illustration drawing={SEARCH} />}
      title="No watchlist data found!"
      action={
        <Button variant="secondary" onClick={onClear}>
          Clear search
        </Button>
      }
    />
  ) : (
    <EmptyState title="No watchlist data found!" action={<ButtonLink href="/crypto">See the market</ButtonLink>} />
  );
}
