import styles from './bell.module.css';
import { IconLink } from './button.tsx';

/** The way to the notifications, with how many are unread. */
export const Bell = ({ unread }: { unread: number }) => (
  <span className={styles.bell}>
    <IconLink label={unread ? `Notifications, ${unread} unread` : 'Notifications'} icon="bell" href="/settings/notification" />
    {unread > 0 && (
      <span className={styles.count} aria-hidden="true">
        {unread > 99 ? '99+' : unread}
      </span>
    )}
  </span>
);
