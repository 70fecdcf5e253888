import { type ReactNode, useId } from 'react';
import { CURRENCIES, PERIODS } from '#contract/market/choices.ts';
import type { Currency } from '#contract/market/market.ts';
import { COUNTS, type ListChoice, PERIOD_LABELS } from '#domain/market/list-address.ts';
import { Select } from '../ui/fields/select.tsx';
import styles from './coin-controls.module.css';

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
    <CurrencyToggle value={currency} onChange={(next) => onChange({ currency: next })} />
    <Select compact label="Coins shown" value={top} options={counts} onChange={(next) => onChange({ top: next })} />
    <Select compact label="Period of the change" value={period} options={periods} onChange={(next) => onChange({ period: next })} />
  </div>
);

function CurrencyToggle({ value, onChange }: { value: Currency; onChange: (currency: Currency) => void }) {
  const name = useId();
  return (
    <fieldset className={styles.toggle}>
      <legend className="sr-only">Currency</legend>
      {CURRENCIES.map((currency) => (
        <label key={currency} className={styles.side}>
          <input className="sr-only" type="radio" name={name} checked={currency === value} onChange={() => onChange(currency)} />
          {currency}
        </label>
      ))}
    </fieldset>
  );
}
