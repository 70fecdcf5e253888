import { moveText } from '#domain/alerts/move-text.ts';
import { formatSymbol, formatUsd } from '#domain/format/format-number.ts';
import type { FiringRow } from '../store.ts';

/** Returns the text of a firing's notification. */
export function firingText(firing: Omit<FiringRow, 'createdAt'>): string {
  const note = firing.note === '' ? '' : ` ${firing.note}`;
  return `${formatSymbol(firing.coinSymbol) || firing.coinName} ${moveText(firing)}${levelOf(firing)}.${note}`;
}

/** Names the level that the user set. A change in percent says it already. */
const levelOf = ({ kind, level, levelName }: Pick<FiringRow, 'kind' | 'level' | 'levelName'>): string =>
  kind === 'percent' ? '' : `. Your alert: ${kind} ${levelName ? `${levelName}, ` : ''}${formatUsd(level)}`;
