import styles from './market-tabs.module.css';

const TABS = [
  { href: '/crypto', label: 'Market' },
  { href: '/crypto/watchlist', label: 'Watchlist' },
] as const;

/** Links between the market and the watchlist. */
export const MarketTabs = ({ current }: { current: (typeof TABS)[number]['href'] }) => (
  <nav className={styles.tabs} aria-label="Coin lists">
    {TABS.map(({ href, label }) => (
      <a key={href} className={styles.tab} href={href} aria-current={href === current ? 'page' : undefined}>
        {label}
      </a>
    ))}
  </nav>
);
