import type { Row } from './run-attacks.ts';

const COLUMNS = ['Attack', 'Tries', 'Reads p99, quiet → attacked', 'Answers p99', 'Server', 'Held', 'Evidence'];

/** Head of the Markdown table. Times in ms, before and during the attack. */
export const header = `| ${COLUMNS.join(' | ')} |\n|${COLUMNS.map(() => ' --- ').join('|')}|`;

/** Formats one attack as a row of that table. */
export function lineOf({ name, tries, isHeld, evidence, effect }: Row): string {
  const pair = (kind: 'reads' | 'answers') =>
    effect ? `${Math.round(effect.quiet[kind])} → ${Math.round(effect.attacked[kind])} ms` : '-';
  const cells = [
    name,
    tries,
    pair('reads'),
    pair('answers'),
    effect ? `${Math.round(effect.memory)} MB` : '-',
    isHeld ? 'held' : 'NOT HELD',
    evidence,
  ];
  return `| ${cells.map((cell) => String(cell).replaceAll('|', '/')).join(' | ')} |`;
}
