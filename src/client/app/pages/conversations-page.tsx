import { useEffect, useState } from 'react';
import { ArchiveActions } from '#client/features/archive/archive-actions.tsx';
import { ArchivePanel } from '#client/features/archive/archive-panel.tsx';
import { CopySlot } from '#client/features/archive/copy-slot.ts';
import { archivePagesAhead } from '#client/features/archive/pages/use-archive-pages.ts';
import { ShareSlot } from '#client/features/archive/share-slot.ts';
import { ChatView } from '#client/features/chat/chat-view.tsx';
import { draftKey, readDraft, writeDraft } from '#client/features/chat/compose/drafts.ts';
import { conversationAhead } from '#client/features/chat/conversation/use-conversation.ts';
import { loadDeviceAnswers } from '#client/features/chat/device-answer/use-device-answers.ts';
import { ActionSlot } from '#client/features/chat/offer/action-slot.ts';
import type { Ahead } from '#client/platform/cache/read-ahead.ts';
import { userDb } from '#client/platform/db/user-db.ts';
import { optionalComponent } from '#client/platform/late-component.tsx';
import { lateDialog } from '#client/platform/late-dialog.tsx';
import { preloadWhenIdle } from '#client/platform/preload-when-idle.ts';
import { history, useLocation } from '#client/platform/router/history.ts';
import { useClaims } from '#client/platform/session/use-session.ts';
import { ButtonLink } from '#client/ui/buttons/button.tsx';
import { EmptyState } from '#client/ui/feedback/page-state.tsx';
import { Illustration } from '#client/ui/graphics/illustration.tsx';
import { SPEECH } from '#client/ui/graphics/scenes.ts';
import { isWide, useWide } from '#client/ui/hooks/use-wide.ts';
import { TwoPane } from '#client/ui/layout/two-pane.tsx';
import type { Archive } from '#contract/chat/archive.ts';
import type { Action } from '#contract/chat/offers.ts';
import styles from './conversations-page.module.css';

const ArchiveSidebar = lateDialog(async () => ({ default: (await import('#client/features/archive/archive-sidebar.tsx')).ArchiveSidebar }));

const loadShare = () => import('#client/features/chat/links/share-dialog.tsx');
const ShareDialog = lateDialog(async () => ({ default: (await loadShare()).ShareDialog }));

const ChatAction = optionalComponent(async () => ({ default: (await import('./chat-actions.tsx')).ChatAction }));

const renderAction = (messageId: string, action: Action) => <ChatAction key={messageId} messageId={messageId} action={action} />;

const Unchosen = () => (
  <div className={styles.unchosen}>
    <EmptyState
      illustration={<Illustration drawing={SPEECH} />}
      title="Select a chat or start one."
      action={<ButtonLink href="/chat">New Chat</ButtonLink>}
    />
  </div>
);

const loadCopy = () => import('#client/features/chat/copy/copy-conversation.ts');

const isListAt = (pathname: string) => pathname.startsWith('/archive');

/** What the first render shows. */
export function ahead({ pathname }: Pick<Location, 'pathname'>, userId: string): Ahead[] {
  const list = isListAt(pathname) || isWide() ? archivePagesAhead(userId) : [];
  const [, archiveId] = /^\/chat\/archive\/([^/]+)/.exec(pathname) ?? [];
  return archiveId === undefined ? list : [...list, ...conversationAhead(userId, archiveId)];
}

/** Opens a new chat whose composer has the question. Text that waits there stays before it. */
export async function askInNewChat(userId: string, question: string): Promise<void> {
  const db = userDb(userId);
  const key = draftKey(undefined);
  const draft = await readDraft(db, key);
  const text = draft.text === '' || draft.text.includes(question) ? draft.text || question : `${draft.text}\n${question}`;
  writeDraft(db, key, { ...draft, text });
  history.push('/chat');
}

/** `/archive`, `/chat` and `/chat/archive/{id}`: one page, so that beside an open chat the list stays as it is. */
export default function ConversationsPage({ archiveId }: { archiveId?: string }) {
  const isList = isListAt(useLocation().pathname);
  const wide = useWide();
  const [sidebar, setSidebar] = useState(false);
  const [sharing, setSharing] = useState<Archive>();
  const userId = useClaims().sub;
  // Offline, the device answers by these rules from that list.
  useEffect(() => {
    const keepList = async () => (await import('#client/features/market/keep-offline.ts')).keepList(userId);
    return preloadWhenIdle([loadDeviceAnswers, keepList, loadCopy, loadShare, () => import('./chat-actions.tsx')]);
  }, [userId]);
  const deleted = (id: string) => {
    if (id === archiveId) history.replace('/chat');
  };
  const chat = (
    <ActionSlot value={renderAction}>
      <ChatView
        archiveId={archiveId}
        onEditTitle={() => setSidebar(true)}
        menu={(archive) => <ArchiveActions archive={archive} onDeleted={deleted} />}
      />
    </ActionSlot>
  );
  const copy = async (archive: Archive) => (await loadCopy()).copyConversation(userDb(userId), archive);
  return (
    <CopySlot value={copy}>
      <ShareSlot value={setSharing}>
        <TwoPane
          current={isList ? 'list' : 'detail'}
          list={(wide || isList) && <ArchivePanel current={archiveId} onDeleted={deleted} />}
          detail={isList ? wide && <Unchosen /> : chat}
        />
        {sidebar && <ArchiveSidebar current={archiveId} onClose={() => setSidebar(false)} onDeleted={deleted} />}
        {sharing && <ShareDialog archive={sharing} onClose={() => setSharing(undefined)} />}
      </ShareSlot>
    </CopySlot>
  );
}
