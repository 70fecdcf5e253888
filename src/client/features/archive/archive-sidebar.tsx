import { useId, useState } from 'react';
import type { Archive } from '../../../contract/archive';
import { groupArchives } from '../../../domain/archive-groups';
import { useReachable } from '../../platform/live/use-reachable';
import { Dialog } from '../../ui/dialog';
import { SearchField } from '../../ui/search-field';
import { EmptyState } from '../../ui/state';
import { useDebounced } from '../../ui/use-debounced';
import { ArchiveActions } from './archive-actions';
import { ArchiveRowsSkeleton } from './archive-rows';
import styles from './archive-sidebar.module.css';
import { ArchivesFailed } from './archives-failed';
import { type ArchiveList, useArchiveList } from './use-archive-list';

interface ArchiveSidebarProps {
  /** Id of the open chat. */
  current: string | undefined;
  onClose: () => void;
  onDeleted: (id: string) => void;
}

/** The chats of the last days, beside the open one (spec §2): search, open, rename, delete. */
export function ArchiveSidebar({ current, onClose, onDeleted }: ArchiveSidebarProps) {
  const [typed, setTyped] = useState('');
  const search = useDebounced(typed).trim();
  const reachable = useReachable();
  const list = useArchiveList(search);
  return (
    <Dialog open title="Chats" placement="side" onClose={onClose}>
      <div className={styles.sidebar}>
        <SearchField label="Search chats" placeholder="Search chat..." value={typed} onChange={setTyped} />
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

function Groups({ list, search, ...row }: { list: ArchiveList; search: string } & Omit<RowProps, 'archive'>) {
  if (list.isLoading) return <ArchiveRowsSkeleton count={5} />;
  if (!list.data) return <ArchivesFailed error={list.error} onRetry={list.refresh} />;
  const groups = groupArchives(list.data, Date.now());
  if (groups.length === 0)
    return <EmptyState title={search ? `No chat of the last days mentions "${search}".` : 'No chats in the last days.'} />;
  return groups.map(({ name, archives }) => <Group key={name} name={name} archives={archives} {...row} />);
}

function Group({ name, archives, ...row }: { name: string; archives: Archive[] } & Omit<RowProps, 'archive'>) {
  const heading = useId();
  return (
    <section aria-labelledby={heading}>
      <h3 id={heading} className={styles.heading}>
        {name}
      </h3>
      <ul>
        {archives.map((archive) => (
          <Row key={archive.id} archive={archive} {...row} />
        ))}
      </ul>
    </section>
  );
}

interface RowProps {
  archive: Archive;
  current: string | undefined;
  onClose: () => void;
  onDeleted: (id: string) => void;
}

const Row = ({ archive, current, onClose, onDeleted }: RowProps) => (
  <li className={styles.row}>
    <a
      className={styles.link}
      href={`/chat/archive/${archive.id}`}
      aria-current={archive.id === current ? 'page' : undefined}
      onClick={onClose}
    >
      {archive.archive_title || 'New Title'}
    </a>
    <ArchiveActions archive={archive} onDeleted={onDeleted} />
  </li>
);
