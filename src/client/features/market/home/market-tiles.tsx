import { Change } from '#client/coins/price.tsx';
import { resourceAhead, useResource } from '#client/platform/cache/use-resource.ts';
import { useFiguresInterval } from '#client/platform/live/coin-ticks.ts';
import { Tile } from '#client/ui/layout/tile.tsx';
import { formatCompact, formatPercent, formatPoints } from '#domain/format/format-number.ts';
import { totalsResource } from './totals-resource.ts';

const ALL = {};

/** The query of `MarketTiles`, for the first render of a page. */
export const totalsAhead = resourceAhead(totalsResource, ALL);

/** The market's value and Bitcoin's share of it, with their changes in 24 hours. */
export function MarketTiles() {
  const { data, isLoading } = useResource(totalsResource, ALL, { refreshInterval: useFiguresInterval() });
  return (
    <>
      <Tile
        href="/crypto"
        label="Market cap"
        value={data && `${data.market_cap === null ? '' : '$'}${formatCompact(data.market_cap)}`}
        isLoading={isLoading}
        detail={<Change value={data?.market_cap_change_24h} />}
      />
      <Tile
        href="/crypto/details/1"
        label="BTC dominance"
        value={data && formatPercent(data.btc_dominance)}
        isLoading={isLoading}
        detail={<Change value={data?.btc_dominance_change_24h} format={formatPoints} />}
      />
    </>
  );
}
