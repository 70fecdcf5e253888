import { useReachable } from '../../platform/live/reachability';
import { useProfile } from '../../platform/session/profile';
import { useClaims } from '../../platform/session/use-session';
import { Card } from '../../ui/card';
import { Icon } from '../../ui/icon';
import { PageHeader } from '../../ui/page-header';
import { SavedStamp } from '../../ui/stamp';
import styles from './account-page.module.css';
import { Appearance } from './appearance';
import { Logout } from './logout';

const LINKS = [
  { href: '/settings/privacy-policies', title: 'Privacy Policy' },
  { href: '/settings/terms-and-conditions', title: 'Terms and Conditions' },
];

/** `/settings/account` (spec §2): who is signed in, how the app looks, and the way out. */
export default function AccountPage() {
  const claims = useClaims();
  const { data, savedAt, origin } = useProfile();
  const offline = !useReachable();
  const { first_name, last_name, email } = data ?? claims;

  return (
    <>
      <PageHeader title="Settings" />
      <div className={styles.page}>
        <section className={styles.who}>
          <span className={styles.initials} aria-hidden="true">
            {initials(first_name, last_name)}
          </span>
          <div className={styles.names}>
            <h2 className={styles.name}>
              {first_name} {last_name}
            </h2>
            <p className={styles.email}>{email}</p>
            <SavedStamp savedAt={savedAt} origin={origin} offline={offline} />
          </div>
        </section>
        <Card>
          <Appearance />
        </Card>
        <nav aria-label="Settings">
          <Card className={styles.menu}>
            {LINKS.map(({ href, title }) => (
              <a key={href} className={styles.link} href={href}>
                {title}
                <Icon name="chevron-right" size={20} />
              </a>
            ))}
          </Card>
        </nav>
        <Logout />
      </div>
    </>
  );
}

const initials = (...names: string[]) =>
  names
    .map((name) => [...name.trim()][0] ?? '')
    .join('')
    .toUpperCase();
