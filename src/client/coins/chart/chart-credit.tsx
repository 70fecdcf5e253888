import styles from './chart-credit.module.css';

/** Names the library that draws the charts, as its license asks. */
export const ChartCredit = () => (
  <span className={styles.credit}>
    Drawn with{' '}
    <a className={styles.link} href="https://www.tradingview.com/" target="_blank" rel="noopener noreferrer">
      TradingView Lightweight Charts™
    </a>
    , Copyright © 2025 TradingView, Inc.
  </span>
);
