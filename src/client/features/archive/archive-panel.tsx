import { useRef, useState } from 'react';
import { useReachable } from '#client/platform/live/use-reachable.ts';
import { useUnread } from '#client/platform/notifications/unread.ts';
import { Bell } from '#client/ui/buttons/bell.tsx';
import { ButtonLink, IconLink } from '#client/ui/buttons/button.tsx';
import { EmptyState } from '#client/ui/feedback/page-state.tsx';
import { SavedStamp } from '#client/ui/feedback/saved-stamp.tsx';
import { SearchField } from '#client/ui/fields/search-field.tsx';
import { Illustration } from '#client/ui/graphics/illustration.tsx';
import { SEARCH, SPEECH } from '#client/ui/graphics/scenes.ts';
import { useDebounced } from '#client/ui/hooks/use-debounced.ts';
import { PageHeader } from '#client/ui/layout/page-header.tsx';
import { MAX_SEARCH } from '#contract/chat/archive-limits.ts';
import { NOTIFICATIONS_PAGE } from '#contract/notifications/pages.ts';
import styles from './archive-panel.module.css';
import { ArchivesFailed } from './archives-failed.tsx';
import { ShowMore } from './pages/show-more.tsx';
import { type ArchivePages, useArchivePages } from './pages/use-archive-pages.ts';
import { ArchiveRows, ArchiveRowsSkeleton } from './rows/archive-rows.tsx';
import { Group } from './rows/group.tsx';

interface ArchivePanelProps {
  /** Id of the conversation that is open next to the list. */
  current?: string | undefined;
  onDeleted: (id: string) => void;
}

/** The list of conversations with its search, at /archive. */
export function ArchivePanel({ current, onDeleted }: ArchivePanelProps) {
  const [typed, setTyped] = useState('');
  const search = useDebounced(typed).trim();
  const reachable = useReachable();
  const list = useArchivePages(search);
  return (
    <>
      <PageHeader
        title="Archive"
        action={
          <>
            <IconLink label="New Chat" icon="plus" href="/chat" />
            <Bell href={NOTIFICATIONS_PAGE} unread={useUnread()} />
          </>
        }
      />
      <div className={styles.tools}>
        <SearchField label="Search chats" placeholder="Search chat..." maxLength={MAX_SEARCH} value={typed} onChange={setTyped} />
        {list.onlyDevice ? (
          <p className={styles.note} role="status">
            {reachable ? 'The server could not search.' : 'Offline.'} Found on this device:
          </p>
        ) : (
          <SavedStamp savedAt={list.savedAt} origin={list.origin} offline={!reachable} />
        )}
      </div>
      <Content list={list} search={search} current={current} onDeleted={onDeleted} />
    </>
  );
}

function Content({ list, search, current, onDeleted }: { list: ArchivePages; search: string } & ArchivePanelProps) {
  const rows = useRef<HTMLDivElement>(null);
  if (list.isLoading) return <ArchiveRowsSkeleton count={8} />;
  if (!list.data) return <ArchivesFailed error={list.error} onRetry={list.refresh} />;
  const { pinned, data, unsent } = list;
  const row = { unsent, current, onDeleted };
  const others = data.length > 0 && <ArchiveRows archives={data} {...row} />;
  return (
    <div ref={rows} data-chats="">
      {pinned.length > 0 && (
        <Group name="Pinned" heading="h2">
          <ArchiveRows archives={pinned} {...row} />
        </Group>
      )}
      {pinned.length > 0 && others ? (
        <Group name="Other chats" heading="h2">
          {others}
        </Group>
      ) : (
        others
      )}
      {pinned.length + data.length === 0 && !list.hasMore && <NoChats search={search} />}
      <ShowMore {...list} count={pinned.length + data.length} rows={rows} />
    </div>
  );
}

const NoChats = ({ search }: { search: string }) =>
  search ? (
    <EmptyState illustration={<Illustration drawing={SEARCH} />} title={`No chat mentions "${search}".`} />
  ) : (
    <EmptyState
      illustration={<Illustration drawing={SPEECH} />}
      title="Your chats will be kept here."
      action={<ButtonLink href="/chat">New Chat</ButtonLink>}
    />
  );
