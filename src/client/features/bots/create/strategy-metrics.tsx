import { Chip } from '#client/ui/labels/chip.tsx';
import { BOT_LEVERAGE } from '#contract/bots/bot.ts';
import { advertisedFigures, monthlyIncome } from '#domain/bots/bot-figures.ts';
import { formatUsd } from '#domain/format/format-number.ts';
import { SectionCard } from '../section-card.tsx';
import { BacktestFigures } from './backtest-figures.tsx';
import styles from './strategy-metrics.module.css';

/** Shows the advertised figures beside the backtest, so that risk is seen with the promise. `size` in USD. */
export function StrategyMetrics({ size }: { size: number }) {
  const { annual, drawdown } = advertisedFigures(BOT_LEVERAGE);
  return (
    <SectionCard title="Strategy metrics" aside={<Chip tone="warn">Hypothetical</Chip>}>
      <dl className={styles.figures}>
        <div>
          <dt>Annual profit</dt>
          <dd className={styles.up}>{annual}%</dd>
        </div>
        <div>
          <dt>Max drawdown</dt>
          <dd className={styles.down}>{drawdown}%</dd>
        </div>
        <div className={styles.wide}>
          <dt>Monthly income</dt>
          <dd>{formatUsd(monthlyIncome(size, BOT_LEVERAGE))}</dd>
        </div>
      </dl>
      <p className={styles.note}>At {BOT_LEVERAGE}x, without fees and funding. Marketing figures, not test results.</p>
      <BacktestFigures />
    </SectionCard>
  );
}
