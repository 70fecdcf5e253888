import { Skeleton } from '#client/ui/feedback/skeleton.tsx';
import { Chip } from '#client/ui/labels/chip.tsx';
import { BOT_LEVERAGE } from '#contract/bots/bot.ts';
import { advertisedFigures, monthlyIncome } from '#domain/bots/bot-figures.ts';
import { formatUsd } from '#domain/format/format-number.ts';
import { SectionCard } from '../section-card.tsx';
import { MeasuredFigures } from '../summary/measured-figures.tsx';
import styles from './strategy-metrics.module.css';

interface StrategyMetricsProps {
  /** USD. */
  size: number;
  /** Length of the bots' candles; undefined until the server has answered. */
  interval: string | undefined;
}

/** Shows the measured figures, then the advertised ones. */
export function StrategyMetrics({ size, interval }: StrategyMetricsProps) {
  const { annual, drawdown } = advertisedFigures(BOT_LEVERAGE);
  return (
    <SectionCard title="Strategy metrics" aside={<Chip tone="warn">Hypothetical</Chip>}>
      {interval === undefined ? <Skeleton height={320} radius="var(--radius-card)" /> : <MeasuredFigures interval={interval} />}
      <h3 className={styles.advertised}>Advertised figures</h3>
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
          <dd>{size > 0 ? formatUsd(monthlyIncome(size, BOT_LEVERAGE)) : 'Enter a position size'}</dd>
        </div>
      </dl>
      <p className={styles.note}>Marketing figures at {BOT_LEVERAGE}x, without fees and funding. No test has confirmed them.</p>
    </SectionCard>
  );
}
