import { lazy, Suspense, useState } from 'react';
import { ArchivePanel } from '../../features/archive/archive-panel';
import { ChatView } from '../../features/chat/chat-view';
import { history, useLocation } from '../../platform/router/history';
import { ButtonLink } from '../../ui/button';
import { Picture } from '../../ui/picture';
import { EmptyState } from '../../ui/state';
import { TwoPane } from '../../ui/two-pane';
import { useMedia } from '../../ui/use-media';
import styles from './conversations-page.module.css';

const ArchiveSidebar = lazy(() => import('../../features/archive/archive-sidebar').then((module) => ({ default: module.ArchiveSidebar })));

/** As in two-pane.module.css. */
const WIDE = '(width >= 1024px)';

const Unchosen = () => (
  <div className={styles.unchosen}>
    <EmptyState
      picture={<Picture name="chat" />}
      title="Choose a chat on the left, or begin one."
      action={<ButtonLink href="/chat">New Chat</ButtonLink>}
    />
  </div>
);

/** `/archive`, `/chat` and `/chat/archive/{id}`: one page, so that beside an open chat the list stays as it is. */
export default function ConversationsPage({ archiveId }: { archiveId?: string }) {
  const isList = useLocation().pathname.startsWith('/archive');
  const wide = useMedia(WIDE);
  const [sidebar, setSidebar] = useState(false);
  const deleted = (id: string) => {
    if (id === archiveId) history.replace('/chat');
  };
  return (
    <>
      <TwoPane
        current={isList ? 'list' : 'detail'}
        list={(wide || isList) && <ArchivePanel current={archiveId} onDeleted={deleted} />}
        detail={isList ? wide && <Unchosen /> : <ChatView archiveId={archiveId} onEditTitle={() => setSidebar(true)} />}
      />
      {sidebar && (
        <Suspense>
          <ArchiveSidebar current={archiveId} onClose={() => setSidebar(false)} onDeleted={deleted} />
        </Suspense>
      )}
    </>
  );
}
