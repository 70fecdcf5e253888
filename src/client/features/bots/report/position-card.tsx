import { useAmounts } from '#client/platform/device-choices/hidden-amounts.ts';
import { Chip } from '#client/ui/labels/chip.tsx';
import type { Bot } from '#contract/bots/bot.ts';
import { formatAmount } from '#domain/bots/bot-amounts.ts';
import { formatDateTime } from '#domain/format/format-date.ts';
import { SectionCard } from '../section-card.tsx';
import { Gain } from '../summary/gain.tsx';
import styles from './position-card.module.css';

/** Shows the open position with its stop, target and liquidation price. */
export function PositionCard({ bot: { position, status, paused_reason } }: { bot: Pick<Bot, 'position' | 'status' | 'paused_reason'> }) {
  const { quantity } = useAmounts();
  if (!position) {
    return (
      <SectionCard title="Open position">
        <p className={styles.none}>None.{status === 'RUNNING' && paused_reason === null && ' The bot is waiting for its next entry.'}</p>
      </SectionCard>
    );
  }
  const { side, unrealised_pnl, opened_at, mark_price, liquidation_price } = position;
  const prices: [string, string][] = [
    ['Quantity', quantity(position.quantity)],
    ['Entry', formatAmount(position.entry_price)],
    ['Mark', formatAmount(mark_price)],
    ['Stop', formatAmount(position.stop_price)],
    ['Target', formatAmount(position.target_price)],
    ['Liquidation', formatAmount(liquidation_price)],
  ];
  return (
    <SectionCard title="Open position" aside={<Chip tone={side === 'long' ? 'up' : 'down'}>{side === 'long' ? 'Long' : 'Short'}</Chip>}>
      <p className={styles.result}>
        <Gain usd={unrealised_pnl} /> <span className={styles.unrealised}>unrealised</span>
      </p>
      <dl className={styles.prices}>
        {prices.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p className={styles.none}>
        Opened <time dateTime={opened_at}>{formatDateTime(opened_at)}</time>
      </p>
    </SectionCard>
  );
}
