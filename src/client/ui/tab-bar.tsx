import { Icon, type IconName } from './icon';
import { Logo } from './logo';
import styles from './tab-bar.module.css';

const TABS: readonly { href: string; label: string; icon: IconName }[] = [
  { href: '/home', label: 'Home', icon: 'home' },
  { href: '/crypto', label: 'Crypto', icon: 'crypto' },
  { href: '/archive', label: 'Archive', icon: 'archive' },
  { href: '/settings/account', label: 'Settings', icon: 'settings' },
];

/** Another path that belongs to a tab (spec §2). */
const ALSO: Record<string, string> = { '/crypto/crypto-search': '/crypto' };

/** The four places of the app: below on phones, a rail at the left from 768 px. `path` is the current pathname. */
export function TabBar({ path }: { path: string }) {
  const here = ALSO[path] ?? path;
  return (
    <nav className={styles.bar} aria-label="Main">
      <div className={styles.logo}>
        <Logo size={36} />
      </div>
      {TABS.map(({ href, label, icon }) => (
        <a key={href} className={styles.tab} href={href} aria-current={here === href ? 'page' : undefined}>
          <Icon name={icon} />
          {label}
        </a>
      ))}
    </nav>
  );
}
