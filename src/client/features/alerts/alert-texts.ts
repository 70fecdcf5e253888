import type { Alert, Firing } from '#contract/alerts/alert.ts';
import type { AlertForm } from '#contract/alerts/alert-form.ts';
import { moveText } from '#domain/alerts/move-text.ts';
import { formatDateTime } from '#domain/format/format-date.ts';
import { formatPercent, formatSymbol, formatUsd } from '#domain/format/format-number.ts';

type Rule = AlertForm | Alert;

/** Returns what an alert waits for, such as `Above Resistance, $61,250.00`. */
export function ruleText(alert: Rule): string {
  if (alert.kind === 'percent') return `${alert.percent > 0 ? 'Rises' : 'Falls'} ${formatPercent(alert.percent)} in ${alert.period}`;
  return levelText(alert.kind, alert.level_name, alert.price);
}

/** Returns a level with its side, such as `Above Resistance, $61,250.00`. */
export const levelText = (kind: 'above' | 'below', name: string | null, level: number): string =>
  `${kind === 'above' ? 'Above' : 'Below'} ${name ? `${name}, ` : ''}${formatUsd(level)}`;

export const coinName = ({ coin }: Rule): string => (coin ? formatSymbol(coin.symbol) || coin.name : 'Watchlist');

/** Names an alert in a sentence. */
export const titleOf = (alert: Rule): string => `${coinName(alert)}: ${ruleText(alert)}`;

/** Returns what happened at a firing, such as `BTC rose to $61,301.22`. */
export const firingText = ({ coin, ...move }: Firing): string => `${formatSymbol(coin.symbol) || coin.name} ${moveText(move)}`;

/** Returns the question to the analyst about a firing's move. */
export function questionOf(firing: Firing): string {
  const name = firing.level_name ? ` (${firing.level_name})` : '';
  const level = firing.kind === 'percent' ? '' : ` My alert was at ${formatUsd(firing.level)}${name}.`;
  return `${firingText(firing)} on ${new Date(firing.at).toISOString().slice(0, 16).replace('T', ' ')} UTC.${level} What moved the price?`;
}

/** Returns what an alert does at a time (ms), and whether it can still fire. */
export function stateText(alert: Alert, now: number): { text: string; isActive: boolean } {
  if (alert.paused) return { text: 'Paused', isActive: false };
  if (alert.expires_at !== null && Date.parse(alert.expires_at) <= now)
    return { text: `Expired ${formatDateTime(alert.expires_at)}`, isActive: false };
  const fired = alert.fired_at === null ? undefined : `Fired ${formatDateTime(alert.fired_at)}`;
  if (alert.state === 'done') return { text: fired ?? 'Ended', isActive: false };
  if (alert.state === 'waiting')
    return { text: [fired, 'waits until the price leaves the level'].filter(Boolean).join(', '), isActive: true };
  return { text: fired ?? 'On', isActive: true };
}
