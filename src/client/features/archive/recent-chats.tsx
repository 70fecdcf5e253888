import { useReachable } from '#client/platform/live/use-reachable.ts';
import { EmptyState } from '#client/ui/feedback/page-state.tsx';
import { SavedStamp } from '#client/ui/feedback/saved-stamp.tsx';
import { Illustration } from '#client/ui/graphics/illustration.tsx';
import { SPEECH } from '#client/ui/graphics/scenes.ts';
import { ArchivesFailed } from './archives-failed.tsx';
import styles from './recent-chats.module.css';
import { ArchiveRows, ArchiveRowsSkeleton } from './rows/archive-rows.tsx';
import { type ArchiveList, useArchiveList } from './use-archive-list.ts';

/** Number of conversations on the home page. */
const SHOWN = 6;

/** The home page's section of recent conversations. */
export function RecentChats() {
  const list = useArchiveList();
  const reachable = useReachable();
  return (
    <section className={styles.section} aria-labelledby="recent-chats">
      <header className={styles.header}>
        <h2 id="recent-chats" className={styles.heading}>
          Recent Chat
        </h2>
        <a className={styles.all} href="/archive">
          See All
        </a>
      </header>
      <div className={styles.stamp}>
        <SavedStamp savedAt={list.savedAt} origin={list.origin} offline={!reachable} />
      </div>
      <div className={styles.rows}>
        <Content list={list} />
      </div>
    </section>
  );
}

function Content({ list }: { list: ArchiveList }) {
  if (list.isLoading) return <ArchiveRowsSkeleton count={SHOWN} />;
  if (!list.data) return <ArchivesFailed error={list.error} onRetry={list.refresh} />;
  if (list.data.length === 0) return <EmptyState illustration={<Illustration drawing={SPEECH} />} title="No recent chats here!" />;
  return <ArchiveRows archives={list.data.slice(0, SHOWN)} unsent={list.unsent} />;
}
