import { goBack } from '#client/platform/router/history.ts';
import { PageHeader } from '#client/ui/layout/page-header.tsx';
import { WatchlistView } from './watchlist-view.tsx';

/** `/settings/watchlist` */
const WatchlistPage = () => (
  <WatchlistView header={(menu) => <PageHeader title="Watchlist" onBack={() => goBack('/settings/account')} action={menu} />} />
);
export default WatchlistPage;
