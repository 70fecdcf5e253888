import styles from './market-tabs.module.css';

const TABS = [
  { href: '/crypto', label: 'Market' },
  { href: '/crypto/watchlist', label: 'Watchlist' },
] as const;

/** The tab that the user has just followed. */
let followed: string | undefined;

function focusFollowed(tab: HTMLAnchorElement | null) {
  if (!tab) return;
  if (followed === tab.pathname) tab.focus({ preventScroll: true });
  followed = undefined;
}

/** Links between the market and the watchlist. The focus stays on the tab that it follows, whose page has a new one. */
export const MarketTabs = ({ current }: { current: (typeof TABS)[number]['href'] }) => (
  <nav className={styles.tabs} aria-label="Coin lists">
    {TABS.map(({ href, label }) => (
      <a
        key={href}
        ref={href === current ? focusFollowed : undefined}
        className={styles.tab}
        href={href}
        aria-current={href === current ? 'page' : undefined}
        onClick={() => {
          followed = href;
        }}
      >
        {label}
      </a>
    ))}
  </nav>
);
