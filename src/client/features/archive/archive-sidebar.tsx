import { useRef, useState } from 'react';
import { useReachable } from '#client/platform/live/use-reachable.ts';
import { EmptyState } from '#client/ui/feedback/page-state.tsx';
import { SearchField } from '#client/ui/fields/search-field.tsx';
import { useDebounced } from '#client/ui/hooks/use-debounced.ts';
import { Dialog } from '#client/ui/overlays/dialog.tsx';
import type { Archive } from '#contract/chat/archive.ts';
import { MAX_SEARCH } from '#contract/chat/archive-limits.ts';
import { groupArchives } from '#domain/archive-groups.ts';
import { ArchiveActions } from './archive-actions.tsx';
import styles from './archive-sidebar.module.css';
import { ArchivesFailed } from './archives-failed.tsx';
import { ShowMore } from './pages/show-more.tsx';
import { type ArchivePages, useArchivePages } from './pages/use-archive-pages.ts';
import { ArchiveRowsSkeleton } from './rows/archive-rows.tsx';
import { Group } from './rows/group.tsx';
import { PreviewLine } from './rows/preview-line.tsx';

interface ArchiveSidebarProps {
  /** Id of the open chat. */
  current: string | undefined;
  onClose: () => void;
  onDeleted: (id: string) => void;
}

/** The sidebar with the chats of recent days: search, open, rename, delete. */
export function ArchiveSidebar({ current, onClose, onDeleted }: ArchiveSidebarProps) {
  const [typed, setTyped] = useState('');
  const search = useDebounced(typed).trim();
  const reachable = useReachable();
  const list = useArchivePages(search);
  return (
    <Dialog open title="Chats" placement="side" onClose={onClose}>
      <div className={styles.sidebar}>
        <SearchField label="Search chats" placeholder="Search chat..." maxLength={MAX_SEARCH} value={typed} onChange={setTyped} />
        {list.onlyDevice && (
          <p className={styles.note} role="status">
            {reachable ? 'The server could not search.' : 'Offline.'} Found on this device:
          </p>
        )}
        <Groups list={list} search={search} current={current} onClose={onClose} onDeleted={onDeleted} />
        <a className={styles.all} href="/archive" onClick={onClose}>
          All chats
        </a>
      </div>
    </Dialog>
  );
}

function Groups({ list, search, ...row }: { list: ArchivePages; search: string } & Omit<RowProps, 'archive' | 'unsent'>) {
  const rows = useRef<HTMLDivElement>(null);
  if (list.isLoading) return <ArchiveRowsSkeleton count={5} />;
  if (!list.data) return <ArchivesFailed error={list.error} onRetry={list.refresh} />;
  const groups = groupArchives(list.data, Date.now());
  const count = groups.reduce((sum, { archives }) => sum + archives.length, 0);
  // The list is newest first. A chat older than the groups means that further pages add nothing.
  const hasMore = list.hasMore && count === list.data.length;
  const { pinned, unsent } = list;
  if (pinned.length + count === 0 && !hasMore)
    return <EmptyState title={search ? `No chat of the last days mentions "${search}".` : 'No chats in the last days.'} />;
  return (
    <div ref={rows} data-chats="">
      {[...(pinned.length > 0 ? [{ name: 'Pinned', archives: pinned }] : []), ...groups].map(({ name, archives }) => (
        <Group key={name} name={name} heading="h3">
          <ul>
            {archives.map((archive) => (
              <Row key={archive.id} archive={archive} unsent={unsent} {...row} />
            ))}
          </ul>
        </Group>
      ))}
      <ShowMore {...list} hasMore={hasMore} count={pinned.length + count} rows={rows} />
    </div>
  );
}

interface RowProps {
  archive: Archive;
  /** Ids of conversations with an unsent question. */
  unsent: ReadonlySet<string>;
  current: string | undefined;
  onClose: () => void;
  onDeleted: (id: string) => void;
}

const Row = ({ archive, unsent, current, onClose, onDeleted }: RowProps) => (
  <li className={styles.row}>
    <a
      className={styles.link}
      href={`/chat/archive/${archive.id}`}
      aria-current={archive.id === current ? 'page' : undefined}
      onClick={onClose}
    >
      <span className={styles.title}>{archive.archive_title || 'New Title'}</span>
      <PreviewLine archive={archive} unsent={unsent.has(archive.id)} />
    </a>
    <ArchiveActions archive={archive} onDeleted={onDeleted} />
  </li>
);
