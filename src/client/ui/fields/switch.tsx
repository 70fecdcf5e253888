import type { ReactNode } from 'react';
import styles from './switch.module.css';

interface SwitchProps {
  label: string;
  /** What the switch changes. */
  detail?: ReactNode;
  on: boolean;
  onChange: (on: boolean) => void;
}

/** A choice that takes effect at once. The whole row is its target. */
export const Switch = ({ label, detail, on, onChange }: SwitchProps) => (
  <label className={styles.row}>
    <span>
      {label}
      {detail && <span className={styles.detail}>{detail}</span>}
    </span>
    {/* biome-ignore lint/a11y/useAriaPropsForRole: a checkbox has its own state */}
    <input className={styles.switch} type="checkbox" role="switch" checked={on} onChange={(event) => onChange(event.target.checked)} />
  </label>
);
