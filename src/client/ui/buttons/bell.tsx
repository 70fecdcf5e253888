import styles from './bell.module.css';
import { IconLink } from './button.tsx';

/** Links to the notifications at `href` and shows the number of unread ones. */
export const Bell = ({ href, unread }: { href: string; unread: number }) => (
  <span className={styles.bell}>
    <IconLink label={unread ? `Notifications, ${unread} unread` : 'Notifications'} icon="bell" href={href} />
    {unread > 0 && (
      <span className={styles.count} aria-hidden="true">
        {unread > 99 ? '99+' : unread}
      </span>
    )}
  </span>
);
