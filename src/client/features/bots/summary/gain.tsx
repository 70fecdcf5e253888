import type { ReactNode } from 'react';
import { useAmounts } from '#client/platform/device-choices/hidden-amounts.ts';
import { roundToCents } from '#domain/bots/bot-amounts.ts';
import styles from './gain.module.css';

interface GainProps {
  usd: number;
  /** Shown after the amount. */
  children?: ReactNode;
}

/** A profit in green or a loss in red. */
export const Gain = ({ usd, children }: GainProps) => (
  <span className={styles.gain} data-tone={roundToCents(usd) > 0 ? 'up' : roundToCents(usd) < 0 ? 'down' : undefined}>
    {useAmounts().gain(usd)}
    {children}
  </span>
);
