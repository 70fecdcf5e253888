import { RecentChats } from '#client/features/archive/recent-chats.tsx';
import { HomeView } from '#client/features/home/home-view.tsx';

/** `/home`. */
export default function HomePage() {
  return <HomeView recent={<RecentChats />} />;
}
