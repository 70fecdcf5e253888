import type { ReactNode } from 'react';
import { useReachable } from '#client/platform/live/use-reachable.ts';
import { useUnread } from '#client/platform/notifications/unread.ts';
import { useProfile } from '#client/platform/session/profile.ts';
import { useProfilePicture } from '#client/platform/session/profile-picture.ts';
import { useClaims } from '#client/platform/session/use-session.ts';
import { Bell } from '#client/ui/buttons/bell.tsx';
import { SavedStamp } from '#client/ui/feedback/saved-stamp.tsx';
import { Avatar } from '#client/ui/graphics/avatar.tsx';
import { DISK, HELP, LAPTOP, LOCK, PAGE, SPARKLE, USER } from '#client/ui/graphics/drawings.ts';
import { Icon, type IconName } from '#client/ui/graphics/icon.tsx';
import { Card } from '#client/ui/layout/card.tsx';
import { PageHeader } from '#client/ui/layout/page-header.tsx';
import { NOTIFICATIONS_PAGE } from '#contract/notifications/pages.ts';
import styles from './account-page.module.css';
import { Appearance } from './appearance.tsx';
import { DeviceSwitches } from './device-switches.tsx';
import { DisplayCurrency } from './display-currency.tsx';
import { Logout } from './logout.tsx';

const LINKS: readonly { href: string; title: string; icon: IconName }[] = [
  { href: '/settings/profile', title: 'Account', icon: USER },
  { href: '/settings/devices', title: 'Signed-in devices', icon: LAPTOP },
  { href: '/settings/watchlist', title: 'Watchlist', icon: 'heart' },
  { href: '/settings/alerts', title: 'Price alerts', icon: 'chart' },
  { href: '/settings/manage-subscription', title: 'Manage Subscription', icon: SPARKLE },
  { href: NOTIFICATIONS_PAGE, title: 'Notifications', icon: 'bell' },
  { href: '/settings/storage', title: 'Storage and Data', icon: DISK },
  { href: '/settings/privacy-policies', title: 'Privacy Policy', icon: LOCK },
  { href: '/settings/terms-and-conditions', title: 'Terms and Conditions', icon: PAGE },
  { href: '/settings/help-center', title: 'Help Center', icon: HELP },
];

/** `/settings/account`: the user, links to all settings, and logout. `deletion` renders the action that deletes the account. */
export function AccountPage({ deletion }: { deletion: ReactNode }) {
  const claims = useClaims();
  const { data, savedAt, origin } = useProfile();
  const picture = useProfilePicture(data?.profile_image ?? null);
  const offline = !useReachable();
  const { first_name, last_name, email } = data ?? claims;

  return (
    <>
      <PageHeader title="Settings" action={<Bell href={NOTIFICATIONS_PAGE} unread={useUnread()} />} />
      <div className={styles.page}>
        <section className={styles.who}>
          <Avatar names={[first_name, last_name]} picture={picture} />
          <div className={styles.names}>
            <h2 className={styles.name}>
              {first_name} {last_name}
            </h2>
            <p className={styles.email}>{email}</p>
            <SavedStamp savedAt={savedAt} origin={origin} offline={offline} />
          </div>
        </section>
        <nav aria-label="Settings">
          <Card className={styles.menu}>
            {LINKS.map(({ href, title, icon }) => (
              <a key={href} className={styles.link} href={href}>
                <Icon name={icon} />
                <span className={styles.linkTitle}>{title}</span>
                <Icon name="chevron-right" size={20} />
              </a>
            ))}
          </Card>
        </nav>
        <Card>
          <Appearance />
          <DisplayCurrency />
          <DeviceSwitches />
        </Card>
        <div className={styles.out}>
          <Logout />
          {deletion}
        </div>
      </div>
    </>
  );
}
