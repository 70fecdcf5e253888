import type { BotTrade } from '../../../contract/bot';
import { formatBtc, formatUsd } from '../../../domain/format-number';
import { formatGain, gainTone } from './bot-words';
import { SectionCard } from './section-card';
import styles from './trade-list.module.css';

const time = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

/** Trades that are over, newest first; what each came to is after its fees and funding. */
export const TradeList = ({ trades }: { trades: readonly BotTrade[] }) => (
  <SectionCard title="Trades">
    {trades.length === 0 ? (
      <p className={styles.none}>No trade is over yet.</p>
    ) : (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be in reach of the keyboard
      <section className={styles.scroll} tabIndex={0} aria-label="Trades, newest first">
        <ul className={styles.list}>
          {trades.map((trade) => (
            <li key={trade.id} className={styles.trade}>
              <span className={styles.what}>
                {trade.side === 'long' ? 'Long' : 'Short'} {formatBtc(trade.quantity)}
              </span>
              <span className={styles.gain} data-tone={gainTone(trade.pnl)}>
                {formatGain(trade.pnl)}
              </span>
              <span className={styles.detail}>
                {formatUsd(trade.entry_price)} to {formatUsd(trade.exit_price)} · {trade.reason}
              </span>
              <span className={styles.detail}>
                {time.formatRange(Date.parse(trade.opened_at), Date.parse(trade.closed_at))} · fees {formatUsd(trade.fees)}
                {trade.funding !== 0 && ` · funding ${formatGain(trade.funding)}`}
              </span>
            </li>
          ))}
        </ul>
      </section>
    )}
  </SectionCard>
);
