import { formatFigure } from '#client/coins/money/money.ts';
import { Change } from '#client/coins/price.tsx';
import { resourceAhead, useResource } from '#client/platform/cache/use-resource.ts';
import { useFiguresInterval } from '#client/platform/live/coin-ticks.ts';
import { Tile } from '#client/ui/layout/tile.tsx';
import { formatPercent } from '#domain/format/format-number.ts';
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
        value={data && formatFigure(data.market_cap === null ? undefined : { value: data.market_cap, currency: 'USD' })}
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

/** Returns `0.31 pts` without a sign: a change between percentages. */
function formatPoints(change: number | null | undefined): string {
  return change == null || !Number.isFinite(change) ? formatPercent(change) : `${Math.abs(change).toFixed(2)} pts`;
}
