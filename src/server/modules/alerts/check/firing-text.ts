import { formatPercent, formatSymbol, formatUsd } from '#domain/format/format-number.ts';
import type { FiringRow } from '../store.ts';

/** Returns the text of a firing's notification. */
export function firingText(firing: Omit<FiringRow, 'createdAt'>): string {
  const note = firing.note === '' ? '' : ` ${firing.note}`;
  return `${formatSymbol(firing.coinSymbol) || firing.coinName} ${whatHappened(firing)}.${note}`;
}

function whatHappened({ kind, level, levelName, period, price, change }: Omit<FiringRow, 'createdAt'>): string {
  if (kind === 'percent') return `${level > 0 ? 'rose' : 'fell'} ${formatPercent(change)} in ${period}, to ${formatUsd(price)}`;
  const name = levelName ? `${levelName}, ` : '';
  return `${kind === 'above' ? 'rose to' : 'fell to'} ${formatUsd(price)}. Your alert: ${kind} ${name}${formatUsd(level)}`;
}
