import type { BotTrade } from '#contract/bots/bot.ts';
import { formatBtc, formatUsd } from '#domain/format/format-number.ts';
import { formatGain } from '../format-gain.ts';
import { Gain } from '../summary/gain.tsx';
import { SectionList } from './section-list.tsx';
import styles from './trade-list.module.css';

const time = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

/** Lists closed trades, newest first. Results include fees and funding. */
export const TradeList = ({ trades }: { trades: readonly BotTrade[] }) => (
  <SectionList title="Trades" none="No closed trades yet.">
    {trades.map((trade) => (
      <li key={trade.id} className={styles.trade}>
        <span className={styles.what}>
          {trade.side === 'long' ? 'Long' : 'Short'} {formatBtc(trade.quantity)}
        </span>
        <Gain usd={trade.pnl} />
        <span className={styles.detail}>
          {formatUsd(trade.entry_price)} to {formatUsd(trade.exit_price)} · {trade.reason}
        </span>
        <span className={styles.detail}>
          {time.formatRange(Date.parse(trade.opened_at), Date.parse(trade.closed_at))} · fees {formatUsd(trade.fees)}
          {trade.funding !== 0 && ` · funding ${formatGain(trade.funding)}`}
        </span>
      </li>
    ))}
  </SectionList>
);
