import { RecentChats } from '#client/features/archive/recent-chats.tsx';
import { archiveListAhead } from '#client/features/archive/use-archive-list.ts';
import { botMoneyAhead } from '#client/features/home/bot-money.tsx';
import { HomeView } from '#client/features/home/home-view.tsx';
import type { Ahead } from '#client/platform/cache/read-ahead.ts';
import { profileAhead } from '#client/platform/session/profile.ts';

/** What the first render shows. */
export const ahead = (_location: unknown, userId: string): Ahead[] => [profileAhead(userId), botMoneyAhead, ...archiveListAhead(userId)];

/** `/home`. */
export default function HomePage() {
  return <HomeView recent={<RecentChats />} />;
}
