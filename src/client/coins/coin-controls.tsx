import type { ReactNode } from 'react';
import { CURRENCIES, PERIODS } from '#contract/market/choices.ts';
import { COUNTS, type ListChoice, PERIOD_LABELS } from '#domain/market/list-address.ts';
import { Segments } from '../ui/fields/segments.tsx';
import { Select } from '../ui/fields/select.tsx';
import styles from './coin-controls.module.css';
import { shownCode } from './money/money-facts.ts';

const counts = COUNTS.map((count) => ({ value: count, label: `Top ${count}` }));
const periods = PERIODS.map((period) => ({ value: period, label: PERIOD_LABELS[period] }));

interface CoinControlsProps {
  choice: Pick<ListChoice, 'currency' | 'top' | 'period'>;
  onChange: (change: Partial<ListChoice>) => void;
  /** Extra controls of one list, in front of the shared ones. */
  children?: ReactNode;
}

/** Controls of a coin list: currency, count and period, in one line that scrolls if it is too wide. */
export const CoinControls = ({ choice: { currency, top, period }, onChange, children }: CoinControlsProps) => (
  <div className={styles.controls}>
    {children}
    <Segments
      label="Currency"
      value={currency}
      options={CURRENCIES.map((each) => ({ value: each, label: shownCode(each) }))}
      onChange={(next) => onChange({ currency: next })}
    />
    <Select compact label="Coins shown" value={top} options={counts} onChange={(next) => onChange({ top: next })} />
    <Select compact label="Period of the change" value={period} options={periods} onChange={(next) => onChange({ period: next })} />
  </div>
);
