import { RecentChats } from '../../features/archive/recent-chats';
import { HomeView } from '../../features/home/home-view';

/** `/home`. */
export default function HomePage() {
  return <HomeView recent={<RecentChats />} />;
}
