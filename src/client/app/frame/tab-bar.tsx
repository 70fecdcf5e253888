import type { MouseEvent } from 'react';
import { openPalette } from '#client/platform/palette.ts';
import { history } from '#client/platform/router/history.ts';
import { isPlainClick } from '#client/platform/router/is-plain-click.ts';
import { classes } from '#client/ui/classes.ts';
import { Icon, type IconName } from '#client/ui/graphics/icon.tsx';
import { Logo } from '#client/ui/graphics/logo.tsx';
import { PRODUCT } from '#domain/product.ts';
import styles from './tab-bar.module.css';

interface Tab {
  href: string;
  label: string;
  icon: IconName;
  /** Path prefixes that highlight this tab. */
  within: readonly string[];
}

const TABS: readonly Tab[] = [
  { href: '/home', label: 'Home', icon: 'home', within: ['/home'] },
  { href: '/crypto', label: 'Crypto', icon: 'crypto', within: ['/crypto'] },
  { href: '/archive', label: 'Archive', icon: 'archive', within: ['/archive', '/chat'] },
  { href: '/settings/account', label: 'Settings', icon: 'settings', within: ['/settings'] },
];

/** Returns whether `path` is the tab's own page. The search counts as the market's page. */
const isPage = (tab: Tab, path: string) => path === tab.href || (tab.href === '/crypto' && path === '/crypto/crypto-search');
const isWithin = (tab: Tab, path: string) => tab.within.some((start) => path === start || path.startsWith(`${start}/`));

/** Opens a tab as the user left it. */
function openTab(event: MouseEvent, href: string) {
  if (!isPlainClick(event)) return;
  event.preventDefault();
  event.stopPropagation(); // the router would open the plain address
  history.returnTo(href);
}

/** Renders the main navigation: at the bottom on phones, a rail with the search on the left from 768 px. `path` is the current pathname. */
export function TabBar({ path }: { path: string }) {
  return (
    <nav className={styles.bar} aria-label="Main">
      <div className={styles.logo}>
        <Logo name={PRODUCT} size={36} />
      </div>
      {TABS.map((tab) => (
        <a
          key={tab.href}
          className={styles.tab}
          href={tab.href}
          onClick={(event) => openTab(event, tab.href)}
          aria-current={isPage(tab, path) ? 'page' : isWithin(tab, path) ? 'true' : undefined}
        >
          <Icon name={tab.icon} />
          {tab.label}
        </a>
      ))}
      <button type="button" className={classes(styles.tab, styles.search)} onClick={openPalette}>
        <Icon name="search" />
        <span>
          Search <kbd className={styles.key}>/</kbd>
        </span>
      </button>
    </nav>
  );
}
