import { Chip } from '#client/ui/labels/chip.tsx';
import { Card } from '#client/ui/layout/card.tsx';
import { yearlyEstimates } from '#domain/bots/bot-figures.ts';
import { formatUsd } from '#domain/format/format-number.ts';
import styles from './yearly-estimates.module.css';

interface YearlyEstimatesProps {
  /** USD. */
  amount: number;
  leverage: number;
}

/** Shows what an amount might earn in a year, marked as hypothetical. */
export const YearlyEstimates = ({ amount, leverage }: YearlyEstimatesProps) => (
  <Card className={styles.card} role="region" aria-labelledby="estimates">
    <div className={styles.heading}>
      <h2 id="estimates">Yearly profit</h2>
      <Chip tone="warn">Hypothetical</Chip>
    </div>
    <dl className={styles.estimates}>
      {yearlyEstimates(amount, leverage).map(({ label, profit }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{formatUsd(profit)}</dd>
        </div>
      ))}
    </dl>
    <p className={styles.note}>
      Fixed factors times amount and leverage, not a forecast. A year can also end with a loss of the whole amount.
    </p>
  </Card>
);
