import { useEffect, useRef } from 'react';
import { errorMessage } from '#client/platform/api/errors.ts';
import { useReachable } from '#client/platform/live/use-reachable.ts';
import { useLocation } from '#client/platform/router/history.ts';
import { useSession } from '#client/platform/session/use-session.ts';
import { Button, ButtonLink } from '#client/ui/buttons/button.tsx';
import { EmptyState, ErrorState } from '#client/ui/feedback/page-state.tsx';
import { Skeleton } from '#client/ui/feedback/skeleton.tsx';
import { Logo } from '#client/ui/graphics/logo.tsx';
import { PageHeader } from '#client/ui/layout/page-header.tsx';
import type { SharedChat, SharedExchange } from '#contract/chat/chat-links.ts';
import { RISK } from '#domain/analyst/answers/stamp.ts';
import { PRODUCT } from '#domain/product.ts';
import { AnswerText } from '../answer/answer-text.tsx';
import { sourceLines } from '../figure/source-lines.ts';
import { linkTime } from '../links/link-time.ts';
import styles from './shared-page.module.css';
import { SharedPicture } from './shared-picture.tsx';
import { useSharedChat } from './use-shared-chat.ts';

/** `/shared#{token}`: a chat that someone shares, read-only, for everyone with the link. */
export default function SharedPage() {
  const token = useLocation().hash.slice(1);
  const isSignedIn = useSession().status === 'signed-in';
  const { chat, error, isLoading, load } = useSharedChat(token);
  const reachable = useReachable();
  const hasFailed = error !== undefined;

  const failed = useRef(hasFailed);
  failed.current = hasFailed;
  // Once, when the connection is back: a server that refuses is not asked again at once.
  useEffect(() => {
    if (reachable && failed.current) load();
  }, [reachable, load]);

  return (
    <>
      <PageHeader
        title={<Logo name={PRODUCT} wordmark />}
        action={
          <ButtonLink href={isSignedIn ? '/home' : '/'} variant="secondary">
            {isSignedIn ? `Open ${PRODUCT}` : `Try ${PRODUCT}`}
          </ButtonLink>
        }
      />
      <div className={styles.page}>
        {chat && <SharedConversation chat={chat} token={token} />}
        {chat === null && <Ended />}
        {chat === undefined && !hasFailed && <Loading />}
        {hasFailed && (
          <ErrorState
            title={reachable ? 'This chat could not be loaded' : 'You are offline'}
            detail={reachable ? errorMessage(error) : 'A shared chat is not kept on your device. It loads when you are back online.'}
            action={
              <Button busy={isLoading} onClick={load}>
                Try again
              </Button>
            }
          />
        )}
      </div>
    </>
  );
}

const Ended = () => (
  <EmptyState
    heading="This link opens nothing"
    title="It has expired, or its owner stopped sharing, or a part of the link is missing. Ask for a new one."
  />
);

const Loading = () => (
  <div className={styles.loading} role="status">
    <span className="sr-only">Loading the shared chat</span>
    <Skeleton width="60%" height={28} />
    <Skeleton width="40%" height={14} />
    <Skeleton height={72} radius={12} />
    <Skeleton height={180} radius={12} />
  </div>
);

function SharedConversation({ chat, token }: { chat: SharedChat; token: string }) {
  const { title, shared_at, expires_at, messages, left_out, earlier } = chat;
  return (
    <article className={styles.chat} aria-labelledby="shared-title">
      <header className={styles.head}>
        <h2 id="shared-title" className={styles.title}>
          {title || 'Shared chat'}
        </h2>
        <p className={styles.quiet}>
          A copy of a chat with {PRODUCT}, shared on <time dateTime={shared_at}>{linkTime(shared_at)}</time>. The link expires on{' '}
          <time dateTime={expires_at}>{linkTime(expires_at)}</time>.
        </p>
        <p className={styles.quiet}>Its figures are of the times they show, not of now. Tap a figure to see where it comes from.</p>
      </header>
      {earlier && <p className={styles.note}>Earlier questions of this chat are left out.</p>}
      <ol className={styles.messages}>
        {messages.map((message, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the copy never changes
          <Exchange key={place} message={message} token={token} place={place} />
        ))}
      </ol>
      {left_out > 0 && <p className={styles.note}>Questions about the owner’s account are left out.</p>}
      <p className={styles.risk}>{RISK}</p>
    </article>
  );
}

interface ExchangeProps {
  message: SharedExchange;
  token: string;
  place: number;
}

function Exchange({ message: { question, answer, asked_at, figures, picture }, token, place }: ExchangeProps) {
  const sources = sourceLines(figures, answer);
  return (
    <li className={styles.exchange}>
      <p className={styles.time}>
        <time dateTime={asked_at}>{linkTime(asked_at)}</time>
      </p>
      {picture && <SharedPicture token={token} place={place} />}
      {question && (
        <p className={styles.question} dir="auto">
          <span className="sr-only">Question: </span>
          {question}
        </p>
      )}
      <div className={styles.answer}>
        <span className={styles.name}>
          <Logo name={PRODUCT} size={20} />
          {PRODUCT}
        </span>
        <AnswerText text={answer} figures={figures} />
        {sources.length > 0 && (
          <ul className={styles.sources} aria-label="Where its figures come from">
            {sources.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        )}
      </div>
    </li>
  );
}
