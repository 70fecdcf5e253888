import { formatPercent, formatUsd } from '../format/format-number.ts';

/** What a price did when an alert fired. */
interface Move {
  kind: 'above' | 'below' | 'percent';
  /** USD, or percent for the kind `percent`. */
  level: number;
  /** USD. */
  price: number;
  /** Percent in the period; null for a price. */
  change: number | null;
  period: string | null;
}

/** Says what a price did: "rose to $61,301.22", "fell 5.00% in 24h, to $58,000.00". */
export function moveText({ kind, level, price, change, period }: Move): string {
  if (kind === 'percent') return `${level > 0 ? 'rose' : 'fell'} ${formatPercent(change)} in ${period}, to ${formatUsd(price)}`;
  return `${kind === 'above' ? 'rose' : 'fell'} to ${formatUsd(price)}`;
}
