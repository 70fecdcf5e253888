import { CoinPanel } from '#client/coins/panel/coin-panel.tsx';
import { errorMessage } from '#client/platform/api/errors.ts';
import { resourceAhead, useResource } from '#client/platform/cache/use-resource.ts';
import { useFiguresInterval, useShownCoins } from '#client/platform/live/coin-ticks.ts';
import { Button } from '#client/ui/buttons/button.tsx';
import { EmptyState, ErrorState } from '#client/ui/feedback/page-state.tsx';
import { Section } from '#client/ui/layout/section.tsx';
import { DEFAULT_CHOICE } from '#domain/market/list-address.ts';
import { topMovers } from '#domain/market/movers.ts';
import { coinListResource } from '../list/coin-list-resource.ts';

/** Rising and falling coins shown, each. */
const EACH = 3;

/** The query of `TopMovers`, for the first render of a page. */
export const moversAhead = resourceAhead(coinListResource, DEFAULT_CHOICE);

/** Home's section of the coins among the 100 largest that moved most in 24 hours. */
export function TopMovers() {
  const list = useResource(coinListResource, DEFAULT_CHOICE, { refreshInterval: useFiguresInterval() });
  const coins = list.data && topMovers(list.data.coins, EACH);
  useShownCoins(
    coins && {
      key: coinListResource.key(DEFAULT_CHOICE),
      ids: coins.map(({ id }) => id),
      keep: (db, source) => db.coinLists.update(coinListResource.key(DEFAULT_CHOICE), { source }),
    },
  );
  const failed = !coins && !list.isLoading && (
    <ErrorState
      title="The market could not be loaded"
      detail={`${errorMessage(list.error)} Once loaded, it stays on this device.`}
      action={<Button onClick={() => void list.refresh()}>Try again</Button>}
    />
  );
  return (
    <Section title="Top Movers" all={{ href: '/crypto', label: 'See all coins' }}>
      <CoinPanel
        label="Top movers"
        coins={failed ? [] : coins}
        rows={6}
        empty={failed || <EmptyState title="No coin moved in the last 24 hours" />}
      />
    </Section>
  );
}
