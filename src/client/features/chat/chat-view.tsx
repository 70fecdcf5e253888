import { type ReactNode, useRef } from 'react';
import { errorMessage } from '#client/platform/api/errors.ts';
import { useServerConfig } from '#client/platform/api/server-config.ts';
import { userDb } from '#client/platform/db/user-db.ts';
import { useReachable } from '#client/platform/live/use-reachable.ts';
import { history } from '#client/platform/router/history.ts';
import { useProfile } from '#client/platform/session/profile.ts';
import { useClaims } from '#client/platform/session/use-session.ts';
import { useGrowing } from '#client/platform/use-growing.ts';
import { Button, ButtonLink } from '#client/ui/buttons/button.tsx';
import { EmptyState, ErrorState } from '#client/ui/feedback/page-state.tsx';
import { SavedStamp } from '#client/ui/feedback/saved-stamp.tsx';
import { Icon } from '#client/ui/graphics/icon.tsx';
import { Illustration } from '#client/ui/graphics/illustration.tsx';
import { SPEECH } from '#client/ui/graphics/scenes.ts';
import { Chip } from '#client/ui/labels/chip.tsx';
import type { Archive } from '#contract/chat/archive.ts';
import { FIRST_MESSAGES } from './answer/shown-markdown.ts';
import { askQuestion } from './ask/ask-question.ts';
import { sendSoon } from './ask/send-questions.ts';
import { useAsking } from './ask/use-asking.ts';
import { ChatHeader } from './chat-header.tsx';
import styles from './chat-view.module.css';
import { Composer } from './compose/composer.tsx';
import { useEditing } from './compose/edit-message.ts';
import type { LocalMessage } from './conversation/conversation.ts';
import { EarlierMessages } from './conversation/earlier-messages.tsx';
import { Messages } from './conversation/messages.tsx';
import { MessagesSkeleton } from './conversation/messages-skeleton.tsx';
import { type Conversation, useConversation } from './conversation/use-conversation.ts';
import { useFollow } from './conversation/use-follow.ts';
import { useKeepPlace } from './conversation/use-keep-place.ts';
import { UpgradeLink, UpgradeNotice, useFreePlan } from './upgrade/upgrade-notice.tsx';
import { Welcome } from './welcome.tsx';

interface ChatViewProps {
  archiveId?: string | undefined;
  onEditTitle: () => void;
  /** Renders the menu of the open conversation. */
  menu: (archive: Archive) => ReactNode;
}

/** The chat screen: a conversation, or without an id a new one. */
export function ChatView({ archiveId, onEditTitle, menu }: ChatViewProps) {
  const userId = useClaims().sub;
  const db = userDb(userId);
  const conversation = useConversation(archiveId);
  const reachable = useReachable();
  const profile = useProfile();
  const plan = useFreePlan();
  const scroller = useRef<HTMLElement>(null);
  const { atEnd, toEnd } = useFollow(scroller, archiveId);
  const count = useGrowing(archiveId, conversation.data?.length ?? 0, { first: FIRST_MESSAGES, step: 12, rows: '[data-id]' });
  const { messages: known, setAsking } = useAsking(archiveId, conversation.data);
  const messages = known && lastOf(known, count);
  useKeepPlace(scroller, messages?.[0]?.id);
  const editing = useEditing(db, archiveId);
  // Assume the built-in analyst until the server's configuration arrives.
  const analyst = useServerConfig()?.analyst ?? 'built-in';

  const awaited = conversation.data?.find(({ unsent, chat_status }) => !unsent && chat_status === 'message')?.id;

  function onAsking(question: LocalMessage | undefined) {
    setAsking(question);
    if (question && archiveId) toEnd();
  }

  function asked(archive: string) {
    if (archiveId) toEnd();
    else history.replace(`/chat/archive/${archive}`);
  }

  async function ask(text: string) {
    const asking = askQuestion(db, { userId, archiveId, text }, { onAsking });
    asking.catch(() => setAsking(undefined));
    asked(await asking);
    sendSoon();
  }

  return (
    <div className={styles.chat}>
      <ChatHeader archive={conversation.archive} onEditTitle={onEditTitle} menu={menu} />
      <div className={styles.status}>
        <SavedStamp savedAt={conversation.savedAt} origin={conversation.origin} offline={!reachable} />
        {analyst === 'built-in' && <Chip>Built-in analyst</Chip>}
      </div>
      <div className={styles.stage}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users scroll it */}
        <section ref={scroller} className={styles.scroller} aria-label="Conversation" data-opens="end" tabIndex={0}>
          <div className={styles.content} data-room={plan.floating}>
            <Content
              archiveId={archiveId}
              conversation={conversation}
              messages={messages}
              editing={editing}
              onAsk={(question) => void ask(question)}
              onRead={() => void profile.refresh()}
            />
          </div>
        </section>
        {!atEnd && archiveId !== undefined && (
          <button type="button" className={styles.jump} onClick={toEnd}>
            <Icon name="arrow-down" size={20} />
            Jump to latest
          </button>
        )}
        {plan.floating && (
          <div className={styles.upgrade}>
            <UpgradeLink />
          </div>
        )}
      </div>
      {plan.notice && (
        <div className={styles.notice}>
          <UpgradeNotice onClose={plan.close} />
        </div>
      )}
      <div className={styles.foot}>
        {!conversation.unknown && <Composer archiveId={archiveId} awaited={awaited} onAsking={onAsking} onAsked={asked} />}
      </div>
    </div>
  );
}

/** Returns the same list when it has no more. */
const lastOf = (messages: LocalMessage[], count: number) => (messages.length > count ? messages.slice(-count) : messages);

interface ContentProps {
  archiveId: string | undefined;
  conversation: Conversation;
  /** The last of its messages, until all are rendered. */
  messages: LocalMessage[] | undefined;
  /** Id of the message in the composer. */
  editing: string | undefined;
  onAsk: (question: string) => void;
  onRead: () => void;
}

function Content({ archiveId, conversation, messages, editing, onAsk, onRead }: ContentProps) {
  if (archiveId === undefined && !messages) return <Welcome onAsk={onAsk} />;
  if (conversation.unknown) return <UnknownConversation />;
  if (messages) {
    return (
      <>
        {conversation.hasEarlier && messages[0] === conversation.data?.[0] && (
          <EarlierMessages
            loading={conversation.isLoadingEarlier}
            error={conversation.earlierError}
            onLoad={() => void conversation.loadEarlier()}
          />
        )}
        <Messages messages={messages} current={conversation.origin === 'network'} editing={editing} onRead={onRead} onAsk={onAsk} />
      </>
    );
  }
  if (conversation.isLoading) return <MessagesSkeleton />;
  return (
    <ErrorState
      title="This chat is not on your device yet"
      detail={`${errorMessage(conversation.error)} It is safe on the server.`}
      action={<Button onClick={() => void conversation.refresh()}>Try again</Button>}
    />
  );
}

const UnknownConversation = () => (
  <EmptyState
    illustration={<Illustration drawing={SPEECH} />}
    title="This chat doesn't exist or was deleted."
    action={<ButtonLink href="/chat">New Chat</ButtonLink>}
  />
);
