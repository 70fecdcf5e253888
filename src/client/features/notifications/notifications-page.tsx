import { errorMessage } from '#client/platform/api/errors.ts';
import { type ResourceState, useResource } from '#client/platform/cache/use-resource.ts';
import { userDb } from '#client/platform/db/user-db.ts';
import { useAmounts } from '#client/platform/device-choices/hidden-amounts.ts';
import { useReachable } from '#client/platform/live/use-reachable.ts';
import { goBack } from '#client/platform/router/history.ts';
import { useClaims } from '#client/platform/session/use-session.ts';
import { Button, IconLink } from '#client/ui/buttons/button.tsx';
import { classes } from '#client/ui/classes.ts';
import { EmptyState, ErrorState } from '#client/ui/feedback/page-state.tsx';
import { SavedStamp } from '#client/ui/feedback/saved-stamp.tsx';
import { Skeleton, SkeletonRows } from '#client/ui/feedback/skeleton.tsx';
import { BOT, COINS, LOCK, MAIL, SPARKLE } from '#client/ui/graphics/drawings.ts';
import { Icon, type IconName } from '#client/ui/graphics/icon.tsx';
import { useMinutes } from '#client/ui/hooks/use-minutes.ts';
import { PageHeader } from '#client/ui/layout/page-header.tsx';
import { DEFAULT_TEXT, type Notification } from '#contract/notification.ts';
import { MONEY_NAMES } from '#domain/bots/bot-money.ts';
import { formatDateTime } from '#domain/format/format-date.ts';
import { formatNotified } from '#domain/format/format-time.ts';
import { notifications } from './notifications.ts';
import styles from './notifications-page.module.css';
import { markAllRead } from './read-marks.ts';

/** `/settings/notification`: the user's notifications, newest first. */
export default function NotificationsPage() {
  const userId = useClaims().sub;
  const list = useResource(notifications, { userId });
  const offline = !useReachable();
  const unread = list.data?.filter(({ read }) => !read).length ?? 0;
  return (
    <>
      <PageHeader
        title="Notifications"
        onBack={() => goBack('/settings/account')}
        action={<IconLink label="Notification settings" icon="settings" href="/settings/notification/settings" />}
      />
      <div className={styles.tools}>
        <SavedStamp savedAt={list.savedAt} origin={list.origin} offline={offline} />
        {unread > 0 && (
          <Button variant="ghost" icon="check" onClick={() => void markAllRead(userDb(userId), userId)}>
            Mark all as read
          </Button>
        )}
      </div>
      <Content list={list} />
      <p className="sr-only" role="status">
        {list.data && (unread > 0 ? `${unread} unread` : 'All read')}
      </p>
    </>
  );
}

const outline = (
  <span className={styles.row}>
    <Skeleton width={36} height={36} radius="50%" />
    <span className={styles.words}>
      <Skeleton width="80%" height={16} />
      <Skeleton width="24%" height={12} />
    </span>
  </span>
);

function Content({ list }: { list: ResourceState<Notification[]> }) {
  const now = useMinutes();
  if (list.isLoading) {
    return (
      <div className={styles.list}>
        <SkeletonRows count={6} row={outline} />
      </div>
    );
  }
  if (!list.data) {
    return (
      <ErrorState
        title="Your notifications could not be loaded"
        detail={`${errorMessage(list.error)} They are safe on the server.`}
        action={<Button onClick={() => void list.refresh()}>Try again</Button>}
      />
    );
  }
  if (list.data.length === 0) return <EmptyState title="No notifications here!" />;
  return (
    <ul className={styles.list} aria-label="Notifications">
      {list.data.map((each) => (
        <li key={each.id}>
          <Row notification={each} now={now} />
        </li>
      ))}
    </ul>
  );
}

const ICONS: Record<Notification['kind'], IconName> = {
  subscription: SPARKLE,
  support: MAIL,
  security: LOCK,
  bot: BOT,
  alert: 'bell',
};

function Row({ notification: { notification_text, created_at, kind, link, read }, now }: { notification: Notification; now: number }) {
  const at = Date.parse(created_at);
  const { sentence } = useAmounts();
  const text = kind === 'bot' ? sentence(notification_text) : notification_text;
  const isLive = kind === 'bot' && notification_text.startsWith(MONEY_NAMES.live);
  const content = (
    <>
      <span className={classes(styles.icon, isLive && styles.live)}>
        <Icon name={isLive ? COINS : ICONS[kind]} size={20} />
      </span>
      <span className={styles.words}>
        <span className={styles.text}>
          {!read && <span className="sr-only">Unread: </span>}
          {text || DEFAULT_TEXT}
        </span>
        <time className={styles.time} dateTime={created_at} title={formatDateTime(at)}>
          {formatNotified(at, now)}
        </time>
      </span>
      {!read && <span className={styles.mark} />}
    </>
  );
  // Only links within the app: the link comes from the server.
  return link?.startsWith('/') && !link.startsWith('//') ? (
    <a className={styles.row} href={link}>
      {content}
    </a>
  ) : (
    <div className={styles.row}>{content}</div>
  );
}
