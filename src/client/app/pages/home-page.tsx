import { RecentChats } from '#client/features/archive/recent-chats.tsx';
import { archiveListAhead } from '#client/features/archive/use-archive-list.ts';
import { botMoneyAhead } from '#client/features/home/bot-money.tsx';
import { HomeView } from '#client/features/home/home-view.tsx';
import { runningAhead } from '#client/features/home/own-tiles.tsx';
import { MarketTiles, totalsAhead } from '#client/features/market/home/market-tiles.tsx';
import { moversAhead, TopMovers } from '#client/features/market/home/top-movers.tsx';
import { WatchlistSection, watchlistAhead } from '#client/features/watchlist/home/watchlist-section.tsx';
import { afterContent } from '#client/platform/after-content.ts';
import type { Ahead } from '#client/platform/cache/read-ahead.ts';
import { optionalComponent } from '#client/platform/late-component.tsx';
import { profileAhead } from '#client/platform/session/profile.ts';

// The code of the bots is large, and the device shows their last state.
const PollBots = optionalComponent(async () => {
  await afterContent();
  return { default: (await import('#client/features/bots/list/poll-bots.tsx')).PollBots };
});

/** What the first render shows. */
export const ahead = (_location: unknown, userId: string): Ahead[] => [
  profileAhead(userId),
  botMoneyAhead,
  runningAhead,
  totalsAhead,
  moversAhead,
  watchlistAhead(userId),
  ...archiveListAhead(userId),
];

/** `/home`. */
export default function HomePage() {
  return (
    <>
      <HomeView tiles={<MarketTiles />} watchlist={<WatchlistSection />} movers={<TopMovers />} recent={<RecentChats />} />
      <PollBots />
    </>
  );
}
